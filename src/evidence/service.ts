import { randomUUIDv7 } from 'node:crypto';
import { recordReadings } from '#documents';
import type { KeptFile } from '../platform/http/downloads.ts';
import { notFound, pathId } from '../platform/identifiers.ts';
import { enqueue } from '../platform/jobs/job.ts';
import { recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import { type ReadScope, runsTeam, type Scope } from '../platform/scope.ts';
import { packDownloaded, packRequested } from './events.ts';
import { packJob } from './jobs.ts';
import { evidenceProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { PackBody } from './schemas.ts';
import { isOfDocument, type Manifest, versionsOf } from './pack/index.ts';
import { type OpenSubject, openSubject, type Subject } from './subject.ts';

const most = { atOnce: 2, aDay: 5 } as const;
const dayMs = 24 * 3_600_000;

/**
 * Has a pack written, once this is committed. That the files of a document are read is recorded here, as a download is. Errors: 400, 403, 404,
 * 429 `evidence_under_way`, `evidence_limit_reached`.
 */
export async function requestPack(scope: Scope, body: PackBody): Promise<queries.PackRow> {
  const { db, team, actor, now: at } = scope;
  const subject = await openSubject(scope, subjectOf(body));
  if (actor.type !== 'user') throw problems.forbidden('A pack of evidence is for people.');
  const files = await versionsOf(scope, subject);
  const asked = { team, by: actor.id, since: new Date(at.getTime() - dayMs) };
  const pending = await db.locked(queries.lockPacks, { team }, () => db.first(queries.pendingPacks, { team }));
  if ((pending?.pending ?? 0) >= most.atOnce)
    throw evidenceProblems.evidence_under_way(`Your team has ${most.atOnce} packs written at the moment. Wait until one has ended.`, {
      headers: { 'retry-after': '10' },
    });
  if (((await db.first(queries.packsOf, asked))?.asked ?? 0) >= most.aDay)
    throw evidenceProblems.evidence_limit_reached(`You may ask for ${most.aDay} packs in 24 hours.`, {
      headers: { 'retry-after': '3600' },
    });
  const id = randomUUIDv7();
  const network = body.include?.includes('network') ?? false;
  db.send(queries.insertPack, { team, id, type: subject.type, subject: subject.id, network, by: actor.id, at });
  enqueue(scope, packJob, { team, pack: id });
  if (subject.document)
    await recordReadings(
      scope,
      subject.document,
      files.kept.map(({ number }) => number),
    );
  await recordAct(scope, packRequested, id, { ...about(subject), network });
  return required(await db.first(queries.findPack, { team, id }));
}

function subjectOf({ documentId, workflowId, signatureRequestId }: PackBody): Subject {
  const named = [
    ...(documentId === undefined ? [] : [{ type: 'document', id: documentId } as const]),
    ...(workflowId === undefined ? [] : [{ type: 'workflow', id: workflowId } as const]),
    ...(signatureRequestId === undefined ? [] : [{ type: 'signature', id: signatureRequestId } as const]),
  ];
  const [subject, ...others] = named;
  if (!subject || others.length > 0)
    throw problems.validation_failed('A pack is about one thing: give `documentId`, `workflowId` or `signatureRequestId`.');
  return subject;
}

const about = ({ type, id, via }: OpenSubject) => ({ subjectType: type, subjectId: id, ...(via ? { via } : {}) });

/** A pack that the actor has asked for. Errors: 404. */
export async function getPack({ db, team, actor }: ReadScope | Scope, id: string): Promise<queries.PackRow> {
  const row = await db.first(queries.findPack, { team, id: pathId(id, 'pack of evidence') });
  return required(row && actor.type === 'user' && row.created_by === actor.id && !row.maker_left ? row : undefined);
}

/** The file of a pack, for whoever may have one of that thing still. Errors: 403, 404, 409 `evidence_not_ready`. */
export async function packFile(scope: ReadScope | Scope, id: string): Promise<KeptFile & { subject: OpenSubject }> {
  const { storage_key: key, size, sha256, status, detail, ...row } = await getPack(scope, id);
  const subject = await openSubject(scope, { type: row.subject_type, id: row.subject_id });
  if (key === null || size === null || sha256 === null)
    throw evidenceProblems.evidence_not_ready(
      status === 'failed' ? `The pack has failed: ${detail ?? ''}` : 'The file is being written. Ask again in a few seconds.',
      status === 'failed' ? {} : { headers: { 'retry-after': '2' } },
    );
  requireSameRight(scope, row, subject);
  return { storage_key: key, size, sha256, file_name: 'evidence.zip', media_type: 'application/zip', subject };
}

/**
 * A pack has what whoever asked might have when it was written: who may have less by now is not given it, as of a workflow whose document
 * was deleted since, or is another one. Errors: 403.
 */
function requireSameRight(
  { actor }: ReadScope | Scope,
  row: Pick<queries.PackRow, 'by_role' | 'manifest'>,
  { type, document, inWhole }: OpenSubject,
): void {
  const manifest = JSON.parse(row.manifest ?? '{"about":[],"files":[]}') as Pick<Manifest, 'about' | 'files'>;
  const ofDocument = document !== undefined && manifest.about.includes(document.id);
  const more = type === 'signature' ? ofDocument && !inWhole : manifest.files.some(isOfDocument) && !ofDocument;
  if (more || (row.by_role && !runsTeam(actor)))
    throw problems.forbidden('This pack was written by a right that you do not have any more. Ask for another one.');
}

/** The same for whoever takes its bytes, which is recorded. */
export async function openPack(scope: Scope, id: string): Promise<KeptFile> {
  const { subject, ...file } = await packFile(scope, id);
  await recordAct(scope, packDownloaded, id, about(subject));
  return file;
}

function required(row: queries.PackRow | undefined): queries.PackRow {
  if (!row) throw notFound('pack of evidence');
  return row;
}
