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

/** A file that may be kept: its name ends as its type does. */
export type Judged = Upload & { mediaType: string };

const mebibyte = 1024 * 1024;
/** What one session may send, and what a form keeps that no submission refers to. */
const session = { files: 10, bytes: 100 * mebibyte };
const waiting = { files: 10_000, bytes: 2 * 1024 * mebibyte };
const keptMs = 24 * 3_600_000;

/**
 * Looks at a file that has come: its type is what its bytes say, whatever its name or its sender. Errors: 415 for one that the form
 * does not take, 422 `file_empty`, `file_infected`, 503 when the virus scanner is away.
 */
export async function judge({ storage, scanner }: Uploading, { accept }: Admitted, upload: Upload): Promise<Judged> {
  const { key, size, fileName } = upload;
  if (size === 0) throw uploadProblems.file_empty('The file has no bytes. Look whether it was saved, and send it again.');
  const found = await kindOf(storage, key, size);
  const kind = acceptedKind(found, fileName, accept);
  if (!kind)
    throw problems.unsupported_media_type(
      `The content of the file is ${found.mediaType}, regardless of its name. This form accepts ${accept.join(', ')}.`,
    );
  await scanner?.requireClean(await storage.read(key));
  return { ...upload, mediaType: kind.mediaType, fileName: nameOfKind(fileName, kind.extension) };
}

/** What an upload is answered with. `token` opens the session that was begun with it. */
export type StoredUpload = { fileId: string; fileName: string; mediaType: string; size: number; token?: string };

/** Keeps a file that no submission refers to yet, for a day. The first one of a visitor begins their session. Errors: 404, 409 `upload_limit`, 410. */
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
