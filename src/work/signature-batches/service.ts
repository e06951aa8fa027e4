import { randomUUIDv7 } from 'node:crypto';
import { accessTo } from '#access';
import { copyStaysBehindBarrier, documentToOpen, placeForDocument } from '#documents';
import type { OpenTemplates } from '#document-templates';
import { unknownValues } from '#fields';
import { requireLocales } from '#signatures';
import { requireConsistent } from '../../platform/csv/dialect.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { record } from '../../platform/journal/record.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import { rowError, invalid, invalidData, readRows, type CsvRow, typeIn } from './csv.ts';
import { batchCancelled, batchCreated } from './events.ts';
import { batchJob } from './jobs.ts';
import { mayMakeBatch } from './policy.ts';
import { presentBatch, presentRow } from './present.ts';
import { batchProblems, outsideBarrier } from './problems.ts';
import * as queries from './queries.ts';
import { type Batch, type BatchRow, type CreateBatch, most } from './schemas.ts';

/** A validated batch: its rows and the source of its documents. */
export type ValidatedBatch = { title: string; rows: CsvRow[]; template: string | null; document: string | null; version: number };

/**
 * Validates a whole batch before anything is stored: access to its source, each row, and the values. Throws 400, 422 `batch_rows_invalid`,
 * `batch_source_not_found`, `batch_outside_barrier`, `locale_not_supported`, or 429 `document_queue_full`.
 */
export async function validateBatch(templates: OpenTemplates, scope: ReadScope, input: CreateBatch): Promise<ValidatedBatch> {
  const title = cleanName(input.title, 'title');
  if (!mayMakeBatch(scope.actor))
    throw problems.insufficient_scope('A batch creates documents and also needs the scopes `documents:read` and `documents:write`.');
  requireConsistent(input);
  requireLocales(input);
  const { templateId, documentId } = input;
  const turns = yieldToEventLoop(scope.team);
  if ((templateId === undefined) === (documentId === undefined)) throw noSource();
  if (templateId === undefined) {
    const document = await documentToOpen(scope, documentId ?? '');
    if (document?.version === undefined) throw noSource();
    if (input.signsAs !== undefined)
      throw problems.validation_failed('`signsAs` needs a template. Use `fields` for copies of a document.', {
        errors: [{ name: 'signsAs', pointer: '/signsAs', reason: 'is allowed only with `templateId`', rule: 'dependentRequired' }],
      });
    if (Object.keys(input.data ?? {}).length > 0) throw invalidData();
    if (!(await copyStaysBehindBarrier(scope, document.id, input.folderId))) throw outsideBarrier();
    const rows = await readRows(input, { typeOf: () => undefined, turns });
    const beside = rows.flatMap(({ number, data }) =>
      Object.keys(data).map((name) => rowError(number, name, 'a copy of a document accepts no values', 'column')),
    );
    if (beside.length > 0) throw invalid(beside);
    return { title, rows, template: null, document: document.id, version: document.version };
  }
  const used = await templates.read(scope, templateId).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? noSource() : error;
  });
  const unknown = unknownValues(used.schema, input.data ?? {}, ['data']);
  if (unknown.length > 0) throw invalid(unknown);
  const unknownIn = (values: object) => unknownValues(used.schema, values, []);
  const rows = await readRows(input, { typeOf: (path) => typeIn(used.schema, path), unknownIn, turns });
  const misfits = await templates.compare(
    scope.team,
    used.schema,
    rows.map(({ data }) => data),
  );
  if (misfits.length > 0)
    throw invalid(
      misfits.map(({ at, pointer, reason, rule }) => rowError(rows[at]?.number ?? 0, pointer.slice(1).replaceAll('/', '.'), reason, rule)),
    );
  return { title, rows, template: used.id, document: null, version: used.version };
}

const noSource = () =>
  batchProblems.batch_source_not_found('Set exactly one of `templateId` and `documentId`, to a template or document that you may use.');

/**
 * Stores a validated batch. A job requests its rows one by one. Throws 403 to a confined client without a folder, 409 `conflict` for too many running
 * batches, or 422 `parent_not_found`.
 */
export async function createBatch(scope: Scope, looked: ValidatedBatch, input: CreateBatch): Promise<Batch> {
  const { actor, team, now: at } = scope;
  if (actor.type === 'system') throw new Error('A batch needs a requester.');
  const { fields, signsAs, message, expiresAt, requireCode, allowDelegation, consentAddition, locale } = input;
  const going = await scope.db.locked(queries.lockBatches, { team }, () =>
    scope.db.first(queries.countRunning, { team, most: most.running }),
  );
  if ((going?.running ?? 0) >= most.running)
    throw problems.conflict(`Your team has ${most.running} running batches. Wait until one has ended, or cancel one.`);
  // The access to the folder is checked again for each document. The folder must exist now, because it determines who may view the batch.
  const { parent } = await placeForDocument(scope, input.folderId);
  const id = randomUUIDv7();
  scope.db.send(queries.insertBatch, {
    team,
    id,
    title: looked.title,
    template: looked.template,
    document: looked.document,
    version: looked.version,
    manner: JSON.stringify({
      ...(parent === null ? {} : { folderId: parent }),
      fields,
      signsAs,
      message,
      expiresAt,
      requireCode,
      allowDelegation,
      consentAddition,
      locale,
    }),
    by: actor.id,
    byType: actor.type,
    at,
  });
  scope.db.send(queries.insertRows, { team, id, rows: JSON.stringify(looked.rows) });
  await record(scope, batchCreated, id, { rows: looked.rows.length, done: 0, failed: 0 });
  enqueue(scope, batchJob, { team, batch: id }, { key: id });
  return getBatch(scope, id);
}

/** Returns a batch that the actor may view. Throws 404. */
export async function viewableBatch(
  { db, team, actor }: ReadScope | Scope,
  id: string,
): Promise<{ batch: queries.SeenBatch; mayCancel: boolean }> {
  const batch = await db.first(queries.findBatch, { team, id: pathId(id, 'batch'), person: userIdOf(actor) });
  if (!batch) throw notFound('batch');
  const { owner_id: owner, excluded, emergency } = batch;
  const relations = 'id' in actor && actor.id === owner ? ['owner'] : [];
  const access = accessTo(actor, 'batch', { relations, excluded, outsider: excluded || emergency });
  if (!access) throw notFound('batch');
  return { batch, mayCancel: access.can('cancel') };
}

/** Returns a batch with its progress. Throws 404. */
export async function getBatch(scope: ReadScope | Scope, id: string): Promise<Batch> {
  return presentBatch((await viewableBatch(scope, id)).batch);
}

/** Lists the batches that the actor may view, newest first. */
export async function listBatches({ db, team, actor }: ReadScope, page: { before: string; limit: number }): Promise<Batch[]> {
  if (!('id' in actor)) return [];
  const seesAll = accessTo(actor, 'batch', { relations: [] }) !== undefined;
  return (await db.all(queries.listBatches, { team, person: userIdOf(actor), owner: seesAll ? null : actor.id, ...page })).map(
    presentBatch,
  );
}

/** Returns the result of each row. Throws 404. */
export async function listRows(scope: ReadScope, id: string): Promise<BatchRow[]> {
  const { batch } = await viewableBatch(scope, id);
  return (await scope.db.all(queries.listRows, { team: scope.team, id: batch.id })).map(presentRow);
}

/** Cancels the waiting rows of a batch. Throws 403, 404 or 409 `batch_ended`. */
export async function cancelBatch(scope: Scope, id: string): Promise<Batch> {
  const seen = await viewableBatch(scope, id);
  const { batch, mayCancel } = await scope.db.locked(queries.lockBatch, { team: scope.team, id: seen.batch.id }, () =>
    viewableBatch(scope, id),
  );
  if (!mayCancel)
    throw problems.forbidden(
      batch.emergency
        ? 'Emergency access is read-only. Ask a member of the barrier.'
        : 'Only the owner of a batch and administrators can cancel it. An API client or agent can cancel its own batches.',
    );
  if (batch.status !== 'running') throw batchProblems.batch_ended('The batch has ended. Void sent requests one by one.');
  const one = { team: scope.team, id: batch.id };
  await scope.db.all(queries.cancelRows, one);
  await scope.db.all(queries.endBatch, { ...one, status: 'cancelled', at: scope.now });
  // Rows can fail without the lock of the batch, so they are counted after the cancellation.
  const cancelled = await getBatch(scope, batch.id);
  await record(scope, batchCancelled, batch.id, { rows: cancelled.rows, done: cancelled.done, failed: cancelled.failed });
  return cancelled;
}
