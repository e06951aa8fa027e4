import { randomUUIDv7 } from 'node:crypto';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { Upload } from '../../../platform/http/uploads.ts';
import { acceptedKind, kindOf, nameOfKind } from '../../../platform/storage/file-kind.ts';
import { keepSession, newSession, spendProof, type Visit } from '../submit/index.ts';
import { requireOpen } from '../visitor.ts';
import type { Admitted } from './admission.ts';
import type { Uploading } from './context.ts';
import { uploadReceived } from './events.ts';
import { uploadProblems } from './problems.ts';
import * as queries from './queries.ts';

/** A file that passed all checks. The extension of its name matches its type. */
export type Judged = Upload & { mediaType: string };

const mebibyte = 1024 * 1024;
/** The limits of one session, and of the uploads of a form without a submission. */
const session = { files: 10, bytes: 100 * mebibyte };
const waiting = { files: 10_000, bytes: 2 * 1024 * mebibyte };
const keptMs = 24 * 3_600_000;

/**
 * Checks a received file and detects its type from the content, regardless of name and sender. Throws 415 for a type that the form
 * does not accept, 422 `file_empty`, `file_infected`, and 503 if the virus scanner is unavailable.
 */
export async function judge({ storage, scanner }: Uploading, { accept }: Admitted, upload: Upload): Promise<Judged> {
  const { key, size, fileName } = upload;
  if (size === 0) throw uploadProblems.file_empty('The file is empty. Check that you saved it, and send it again.');
  const found = await kindOf(storage, key, size);
  const kind = acceptedKind(found, fileName, accept);
  if (!kind)
    throw problems.unsupported_media_type(
      `The content of the file is ${found.mediaType}, regardless of its name. This form accepts ${accept.join(', ')}.`,
    );
  await scanner?.requireClean(await storage.read(key));
  return { ...upload, mediaType: kind.mediaType, fileName: nameOfKind(fileName, kind.extension) };
}

/** The response to an upload. `token` is the secret of a new session. */
export type StoredUpload = { fileId: string; fileName: string; mediaType: string; size: number; token?: string };

/** Stores an upload for a day. The first upload of a visitor starts a session. Throws 404, 409 `upload_limit`, 410. */
export async function keepUpload(visit: Visit, { proof }: Admitted, upload: Judged): Promise<StoredUpload> {
  const { scope, visited, channel } = visit;
  requireOpen(visited, scope.now);
  const begun = visit.session === undefined && channel === 'public' ? newSession() : undefined;
  if (begun) {
    if (proof) await spendProof(scope, proof);
    keepSession(scope, visited, begun);
  }
  const sessionId = begun?.id ?? visit.session ?? null;
  const [id, { team, now: at }] = [randomUUIDv7(), scope];
  await scope.db.locked(queries.lockUploads, { interface: visited.id }, async () => {
    const kept = await scope.db.first(queries.uploadsKept, { team, interface: visited.id, session: sessionId });
    if (kept) requireRoom(kept, upload.size);
  });
  scope.db.send(queries.insertUpload, {
    team,
    interface: visited.id,
    id,
    session: sessionId,
    key: upload.key,
    name: upload.fileName,
    mediaType: upload.mediaType,
    size: upload.size,
    sha256: upload.sha256,
    at,
    expires: new Date(at.getTime() + keptMs),
  });
  const { fileName, mediaType, size } = upload;
  await recordAudit(scope, uploadReceived, id, { interfaceId: visited.id, channel, mediaType, size });
  return { fileId: id, fileName, mediaType, size, ...(begun ? { token: begun.token } : {}) };
}

function requireRoom(kept: queries.UploadUsage, size: number): void {
  if (kept.session_files >= session.files || kept.session_bytes + size > session.bytes)
    throw uploadProblems.upload_limit(
      `A session can send at most ${session.files} files and ${session.bytes / mebibyte} MiB, and this file exceeds that. Submit the form with the uploaded files.`,
    );
  if (kept.waiting_files >= waiting.files || kept.waiting_bytes + size > waiting.bytes)
    throw uploadProblems.upload_limit(
      'The form has too many files without a submission. They are deleted after a day: send this file later, or ask the sender of the link.',
    );
}
