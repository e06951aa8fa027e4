import { randomUUIDv7 } from 'node:crypto';
import { accessTo } from '#access';
import { recordReadings } from '#documents';
import type { KeptFile } from '../../platform/http/downloads.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { packDownloaded, packRequested } from './events.ts';
import { packJob } from './jobs.ts';
import { evidenceProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { PackBody } from './schemas.ts';
import { most } from './policy.ts';
import { versionsOf } from './pack/index.ts';
import { openSubject, type Subject, type SubjectType } from './subject.ts';

const dayMs = 24 * 3_600_000;

/**
 * Requests a pack. The job starts after the commit. Records the reads of the document’s files, like downloads. Errors: 400, 403, 404, 429
 * `evidence_in_progress`, `evidence_limit_reached`.
 */
export async function requestPack(scope: Scope, body: PackBody): Promise<queries.PackRow> {
  const { db, team, actor, now: at } = scope;
  const subject = await openSubject(scope, subjectOf(body));
  if (actor.type !== 'user' && actor.type !== 'client') throw problems.forbidden('Only users and API clients may request evidence packs.');
  const aDay = most.aDay[actor.type];
  const files = await versionsOf(scope, subject);
  const ownSince = { team, by: actor.id, since: new Date(at.getTime() - dayMs) };
  const pending = await db.locked(queries.lockPacks, { team }, () => db.first(queries.pendingPacks, { team }));
  if ((pending?.pending ?? 0) >= most.atOnce)
    throw evidenceProblems.evidence_in_progress(
      `Your team has ${most.atOnce} packs in progress, which is the maximum. Wait until one has ended.`,
      {
        headers: { 'retry-after': '10' },
      },
    );
  if (((await db.first(queries.packsOf, ownSince))?.packs ?? 0) >= aDay)
    throw evidenceProblems.evidence_limit_reached(
      `You may request ${aDay} packs in 24 hours. Download an existing pack, or send the request again tomorrow.`,
      {
        headers: { 'retry-after': '3600' },
      },
    );
  const id = randomUUIDv7();
  const network = body.include?.includes('network') ?? false;
  db.send(queries.insertPack, {
    team,
    id,
    type: subject.type,
    subject: subject.id,
    document: subject.documentId ?? null,
    network,
    by: actor.id,
    at,
  });
  enqueue(scope, packJob, { team, pack: id });
  for (const { document, number } of files.kept) await recordReadings(scope, document, [number]);
  await recordAudit(scope, packRequested, id, {
    subjectType: subject.type,
    subjectId: subject.id,
    ...(subject.via ? { via: subject.via } : {}),
    network,
  });
  return (await viewablePack(scope, id)).row;
}

function subjectOf({ documentId, workflowId, signatureRequestId }: PackBody): Subject {
  const named = [
    ...(documentId === undefined ? [] : [{ type: 'document', id: documentId } as const]),
    ...(workflowId === undefined ? [] : [{ type: 'workflow', id: workflowId } as const]),
    ...(signatureRequestId === undefined ? [] : [{ type: 'signature', id: signatureRequestId } as const]),
  ];
  const [subject, ...others] = named;
  if (!subject || others.length > 0)
    throw problems.validation_failed('Give exactly one of `documentId`, `workflowId` and `signatureRequestId`.');
  return subject;
}

/** Returns a pack that the actor may view. Errors: 404. */
async function viewablePack({ db, team, actor }: ReadScope | Scope, id: string) {
  const person = actor.type === 'user' ? actor.id : null;
  const row = await db.first(queries.findPack, { team, id: pathId(id, 'evidence pack'), person });
  if (!row) throw notFound('evidence pack');
  const relations = 'id' in actor && actor.id === row.owner_id ? ['owner'] : [];
  const access = accessTo(actor, 'evidence_pack', { relations, excluded: row.excluded });
  if (!access) throw notFound('evidence pack');
  return { row, access };
}

/** Returns the status of a pack. Errors: 404. */
export const getPack = async (scope: ReadScope, id: string): Promise<queries.PackRow> => (await viewablePack(scope, id)).row;

type PackFile = { file: KeptFile; about: { subjectType: SubjectType; subjectId: string; via?: 'role' } };

/** Returns the file of a pack. Errors: 404, 409 `evidence_not_ready`. */
export async function packFile(scope: ReadScope | Scope, id: string): Promise<PackFile> {
  const { row, access } = await viewablePack(scope, id);
  const { storage_key: key, size, sha256, status, detail } = row;
  if (key === null || size === null || sha256 === null)
    throw evidenceProblems.evidence_not_ready(
      status === 'failed'
        ? `The pack has failed: ${detail ?? ''}`
        : 'The file is not written yet. Send the request again in a few seconds.',
      status === 'failed' ? {} : { headers: { 'retry-after': '2' } },
    );
  return {
    file: { storage_key: key, size, sha256, file_name: 'evidence.zip', media_type: 'application/zip' },
    about: { subjectType: row.subject_type, subjectId: row.subject_id, ...access.byRole('view') },
  };
}

/** Opens the file of a pack and records the download. Errors: as `packFile`. */
export async function openPack(scope: Scope, id: string): Promise<KeptFile> {
  const { file, about } = await packFile(scope, id);
  await recordAudit(scope, packDownloaded, id, about);
  return file;
}
