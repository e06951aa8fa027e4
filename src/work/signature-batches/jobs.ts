import { Readable } from 'node:stream';
import { type Static, Type } from 'typebox';
import { actorToday, contentHead, lockCopyBehindBarrier, createDocument, documentToOpen } from '#documents';
import { storeOrigin, type OpenTemplates } from '#document-templates';
import { type CreateRequest, type FieldPlace, keepFieldPlaces, requestSignature } from '#signatures';
import { lockMember } from '#teams';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { databaseProblem } from '../../platform/database/errors.ts';
import type { Upload } from '../../platform/http/uploads.ts';
import { defineJob, enqueue, type JobResult, type JobAttempt } from '../../platform/jobs/job.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { refusalOf } from '../../platform/limits/quotas.ts';
import { Problem, problems } from '../../platform/problems.ts';
import type { Actor, Scope } from '../../platform/scope.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { CsvRow } from './csv.ts';
import { batchEnded } from './events.ts';
import { outsideBarrier } from './problems.ts';
import { mayMakeBatch } from './policy.ts';
import * as queries from './queries.ts';
import { firstCharacters } from '../../platform/text.ts';

export type BatchDependencies = {
  database: Database;
  listeners: readonly EventListener[];
  clock: () => Date;
  storage: Storage;
  templates: OpenTemplates;
};
const data = Type.Object({ team: Type.String(), batch: Type.String() });
type BatchJobData = Static<typeof data>;
type RowDocument = { upload: Upload; template?: string; places?: FieldPlace[] };

/** Maximum duration of one run, in milliseconds. After that, other jobs get their turn. */
const turnMs = 20_000;
const maxDocumentBytes = 64 * 1024 * 1024;

/** Ends a batch whose job was discarded after repeated failures. Marks its waiting rows as failed. */
export const discardedJob = defineJob(
  'signature-batch-given-up',
  data,
  { counted: false },
  (deps: BatchDependencies, { team, batch: id }: BatchJobData) =>
    end(deps, team, id, (scope) =>
      scope.db.send(queries.discardImportRows, {
        team,
        id,
        detail: 'The service failed repeatedly at this row. Create a new batch for the failed rows.',
      }),
    ),
);

/** Returns the error to store with a row, or undefined if a retry can help. A value that the database rejects will fail again. */
function refusalOfRow(error: unknown): Problem | undefined {
  const problem = refusalOf(error);
  if (problem) return problem;
  const kept = databaseProblem(error);
  return kept && kept.status < 500 ? kept : undefined;
}

/**
 * Sends the requests of a batch, one row per transaction, which also marks the row as done. After a crash it continues with the current row, and no
 * row is requested twice.
 */
export const batchJob = defineJob(
  'signature-batch',
  data,
  {
    retries: 20,
    backoff: { first: 5, factor: 2, most: 600 },
    timeout: 120,
    concurrency: 2,
    maxPerTeam: 1,
    counted: false,
    onDiscard: async (db: Transaction, given: BatchJobData) => enqueue({ db, team: given.team }, discardedJob, given),
  },
  async (deps: BatchDependencies, { team, batch: id }: BatchJobData, { signal }: JobAttempt): Promise<JobResult> => {
    const begun = performance.now();
    const reader = deps.database.reader(team);
    while (!signal.aborted) {
      const batch = await reader.first(queries.runningBatch, { team, id });
      if (!batch) return undefined;
      const row = await reader.first(queries.nextRow, { team, id });
      if (!row) return end(deps, team, id);
      try {
        await ask(deps, team, batch, row);
      } catch (error) {
        const problem = refusalOfRow(error);
        if (problem?.status === 429 || problem?.status === 503) return { later: new Date(deps.clock().getTime() + 10_000) };
        if (!problem) throw error;
        await inTeam(deps, team, { type: 'system' }, (scope) => fail(scope, id, row.number, problem));
      }
      if (performance.now() - begun > turnMs) return { later: deps.clock() };
    }
    return { later: deps.clock() };
  },
);

async function ask(deps: BatchDependencies, team: string, batch: queries.Underway, row: CsvRow): Promise<void> {
  const { database, storage, clock } = deps;
  const reading = { db: database.reader(team), team, now: clock(), requestId: 'signature-batch' };
  const actor = await actorToday(reading, batch.created_by);
  if (!actor || !mayMakeBatch(actor)) throw notAnyMore();
  const made = await fileFor(deps, { ...reading, actor }, batch, row);
  let kept = false;
  try {
    kept = await inTeam(deps, team, actor, (scope) => askIn(deps, scope, batch, { row, made }));
  } finally {
    if (!kept) await storage.remove(made.upload.key).catch(() => undefined);
  }
}

const notAnyMore = () =>
  problems.forbidden('The requester has left the team or may no longer request signatures. Ask another member to create a new batch.');

async function fileFor(
  { templates, storage }: BatchDependencies,
  scope: Parameters<typeof contentHead>[0],
  { template_id: template, document_id: document, source_version: version }: queries.Underway,
  row: CsvRow,
): Promise<RowDocument> {
  if (template !== null) {
    const { pdf, places } = await templates.set(scope, { id: template, version }, row.data);
    const stored = await storage.write(Readable.from([pdf]), { maxBytes: maxDocumentBytes });
    return { template, places, upload: { ...stored, fileName: `${row.name}.pdf`, mediaType: 'application/pdf' } };
  }
  const head = await contentHead(scope, document ?? '', version);
  const stored = await storage.write(await storage.read(head.storage_key), { maxBytes: head.size });
  return { upload: { ...stored, fileName: head.file_name, mediaType: head.media_type } };
}

/** Creates the document and requests its signature. Throws if the batch has ended or another run has ended the row. */
async function askIn(
  { templates }: Pick<BatchDependencies, 'templates'>,
  scope: Scope,
  batch: queries.Underway,
  { row: { number, email, name }, made: { upload, template, places = [] } }: { row: CsvRow; made: RowDocument },
): Promise<boolean> {
  const { team, actor } = scope;
  // Locks the member. If the requester left the team at this moment, the new document would have no owner.
  if (actor.type === 'user' && !(await scope.db.first(lockMember, { team, id: actor.id }))) throw notAnyMore();
  type Signs = Pick<CreateRequest['signers'][number], 'fields' | 'signsAs'>;
  const { folderId, fields, signsAs, ...request } = batch.manner as Signs & { folderId?: string };
  if (batch.document_id !== null) {
    // The requester must still be allowed to share the document, because signers get a copy.
    await documentToOpen(scope, batch.document_id);
    if (!(await lockCopyBehindBarrier(scope, batch.document_id, folderId))) throw outsideBarrier();
  }
  // Typesetting takes time, so the permission for the template is checked again.
  if (template !== undefined) await templates.read(scope, template);
  const title = firstCharacters(`${batch.title}, ${name}`, 255);
  const { value: document } = await createDocument(scope, { title, ...(folderId === undefined ? {} : { folderId }) }, upload);
  if (template !== undefined)
    storeOrigin(scope, { document: document.id, template, number: batch.source_version, source: 'data', sourceId: null });
  keepFieldPlaces(scope, document.id, places);
  const signer = { email, name, ...(fields === undefined ? {} : { fields }), ...(signsAs === undefined ? {} : { signsAs }) };
  const { value: signatureRequest } = await requestSignature(scope, { ...request, documentId: document.id, signers: [signer] });
  // Locked after the documents, see docs/internals/locks.md.
  const running = await scope.db.first(queries.lockRunning, { team, id: batch.id });
  const said = {
    team,
    id: batch.id,
    number,
    status: 'done',
    document: document.id,
    request: signatureRequest.id,
    code: null,
    detail: null,
  };
  const [done] = running ? await scope.db.all(queries.endRow, said) : [];
  if (!done) throw new Overtaken();
  return true;
}

/** Thrown if the batch was cancelled while a row was in progress. The transaction of the row is rolled back. */
class Overtaken extends Problem {
  constructor() {
    super('overtaken', { status: 503, title: 'Overtaken', help: '' }, 'The batch ended while the row was in progress.');
  }
}

async function fail(scope: Scope, id: string, number: number, { code, detail }: Problem): Promise<void> {
  const said = { team: scope.team, id, number, status: 'failed', document: null, request: null, code, detail: detail.slice(0, 1_000) };
  await scope.db.all(queries.endRow, said);
}

function end(deps: BatchDependencies, team: string, id: string, before?: (scope: Scope) => void): Promise<void> {
  return inTeam(deps, team, { type: 'system' }, async (scope) => {
    if (!(await scope.db.first(queries.lockRunning, { team, id }))) return;
    before?.(scope);
    const counted = await scope.db.first(queries.findBatch, { team, id, person: null });
    if (!counted) return;
    await scope.db.all(queries.endBatch, { team, id, status: 'done', at: scope.now });
    await record(scope, batchEnded, id, { rows: counted.rows, done: counted.done, failed: counted.failed });
  });
}

function inTeam<T>(
  { database, listeners, clock }: BatchDependencies,
  team: string,
  actor: Actor,
  work: (scope: Scope) => Promise<T>,
): Promise<T> {
  return database.inTeam(team, (db) => work({ db, team, actor, now: clock(), requestId: 'signature-batch', listeners }));
}
