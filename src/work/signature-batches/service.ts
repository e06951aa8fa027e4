import { randomUUIDv7 } from 'node:crypto';
import { accessTo } from '#access';
import { copyStaysBehindBarrier, documentToOpen, placeForDocument } from '#documents';
import type { OpenTemplates } from '#document-templates';
import { requireConsistent } from '../../platform/csv/dialect.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { enqueue } from '../../platform/jobs/job.ts';
import { record } from '../../platform/journal/record.ts';
import { Problem, problems } from '../../platform/problems.ts';
import { type ReadScope, type Scope, userIdOf } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import { yieldToEventLoop } from '../../platform/yield.ts';
import { rowError, invalid, invalidData, readRows, type Row, typeIn } from './csv.ts';
import { batchCancelled, batchCreated } from './events.ts';
import { batchJob } from './jobs.ts';
import { mayMakeBatch } from './policy.ts';
import { presentBatch, presentRow } from './present.ts';
import { batchProblems, outsideBarrier } from './problems.ts';
import * as queries from './queries.ts';
import { type Batch, type BatchRow, type CreateBatch, most } from './schemas.ts';

/** A batch that was looked at whole: its rows, and what its documents are made from. */
export type ValidatedBatch = { title: string; rows: Row[]; template: string | null; document: string | null; version: number };

/**
 * Looks at a batch whole, before anything of it is kept: whether the actor may use what it is made from, each row, and whether its values fit.
 * Errors: 400, 422 `batch_rows_invalid`, `batch_source_not_found`, `batch_outside_barrier`, 429 `document_queue_full`.
 */
export async function lookAt(templates: OpenTemplates, scope: ReadScope, input: CreateBatch): Promise<ValidatedBatch> {
  const title = cleanName(input.title, 'title');
  if (!mayMakeBatch(scope.actor))
    throw problems.insufficient_scope('A batch makes documents: this needs the scopes `documents:read` and `documents:write`, too.');
  requireConsistent(input);
  const { templateId, documentId } = input;
  const turns = yieldToEventLoop(scope.team);
  if ((templateId === undefined) === (documentId === undefined)) throw noSource();
  if (templateId === undefined) {
    const document = await documentToOpen(scope, documentId ?? '');
    if (document?.version === undefined) throw noSource();
    if (input.signsAs !== undefined)
      throw problems.validation_failed('`signsAs` names a place of a template: a copy of a document takes `fields`.', {
        errors: [{ name: 'signsAs', pointer: '/signsAs', reason: 'goes with `templateId` alone', rule: 'dependentRequired' }],
      });
    if (Object.keys(input.data ?? {}).length > 0) throw invalidData();
    if (!(await copyStaysBehindBarrier(scope, document.id, input.folderId))) throw outsideBarrier();
    const rows = await readRows(input, { typeOf: () => undefined, turns });
    const beside = rows.flatMap(({ number, data }) =>
      Object.keys(data).map((name) => rowError(number, name, 'a copy of a document takes no values', 'column')),
    );
    if (beside.length > 0) throw invalid(beside);
    return { title, rows, template: null, document: document.id, version: document.version };
  }
  const used = await templates.read(scope, templateId).catch((error: unknown) => {
    throw error instanceof Problem && error.status === 404 ? noSource() : error;
  });
  const rows = await readRows(input, { typeOf: (path) => typeIn(used.schema, path), turns });
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

const noSource = () => batchProblems.batch_source_not_found('`templateId` or `documentId` must name one that you may use, and one alone.');

/**
 * Keeps a batch that was looked at; its rows are asked one by one, by a job. Errors: 403 to a confined client without a folder, 409 `conflict` where
 * many of the team go on, 422 `parent_not_found`.
 */
export async function createBatch(scope: Scope, looked: ValidatedBatch, input: CreateBatch): Promise<Batch> {
  const { actor, team, now: at } = scope;
  if (actor.type === 'system') throw new Error('a batch needs somebody who asks');
  const { fields, signsAs, message, expiresAt, requireCode, allowDelegation, consentAddition, locale } = input;
  const going = await scope.db.locked(queries.lockBatches, { team }, () =>
    scope.db.first(queries.countRunning, { team, most: most.running }),
  );
  if ((going?.running ?? 0) >= most.running)
    throw problems.conflict(`Your team has ${most.running} batches that go on. Wait until one has ended, or cancel one.`);
  // Whether the documents may go there is asked again for each: who may look at the batch is read by its folder, which must be one.
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

/** A batch that the actor may view. Errors: 404. */
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

/** A batch with how far it is. Errors: 404. */
export async function getBatch(scope: ReadScope | Scope, id: string): Promise<Batch> {
  return presentBatch((await viewableBatch(scope, id)).batch);
}

/** The batches that the actor may view, newest first. */
export async function listBatches({ db, team, actor }: ReadScope, page: { before: string; limit: number }): Promise<Batch[]> {
  if (!('id' in actor)) return [];
  const seesAll = accessTo(actor, 'batch', { relations: [] }) !== undefined;
  return (await db.all(queries.listBatches, { team, person: userIdOf(actor), owner: seesAll ? null : actor.id, ...page })).map(
    presentBatch,
  );
}

/** What became of each row. Errors: 404. */
export async function listRows(scope: ReadScope, id: string): Promise<BatchRow[]> {
  const { batch } = await viewableBatch(scope, id);
  return (await scope.db.all(queries.listRows, { team: scope.team, id: batch.id })).map(presentRow);
}

/** Asks those of a batch no more who wait. Errors: 403, 404, 409 `batch_ended`. */
export async function cancelBatch(scope: Scope, id: string): Promise<Batch> {
  const seen = await viewableBatch(scope, id);
  const { batch, mayCancel } = await scope.db.locked(queries.lockBatch, { team: scope.team, id: seen.batch.id }, () =>
    viewableBatch(scope, id),
  );
  if (!mayCancel)
    throw problems.forbidden(
      batch.emergency
        ? 'You read this batch by emergency access, which lets you change nothing. Ask a person inside of the barrier.'
        : 'Only the owner of a batch and administrators cancel it. A client or agent cancels the batches that it made.',
    );
  if (batch.status !== 'running') throw batchProblems.batch_ended('The batch has ended. Void the requests that were sent one by one.');
  const one = { team: scope.team, id: batch.id };
  await scope.db.all(queries.cancelRows, one);
  await scope.db.all(queries.endBatch, { ...one, status: 'cancelled', at: scope.now });
  // A row fails without the lock of the batch: counted now that none waits.
  const cancelled = await getBatch(scope, batch.id);
  await record(scope, batchCancelled, batch.id, { rows: cancelled.rows, done: cancelled.done, failed: cancelled.failed });
  return cancelled;
}
