import { lockMoveBehindBarrier } from '#documents';
import { noteSubmissionRead, readableSubmission } from '#forms';
import { noteRecordRead, readableRecord } from '#registries';
import { Problem, problems } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { templateProblems } from './problems.ts';
import { type DocumentBody, most } from './schemas.ts';
import { refuseTooLarge } from './service.ts';

/**
 * What a document is made of. To set it takes a while: so `stays` asks again, in the transaction that makes the document, whether the actor may read
 * what it is made of, and refuses a folder in which it would be read by whom a barrier keeps from that. `note` has the journal say that it was read,
 * where only the actor's role allowed that.
 */
export type Source = {
  kind: 'data' | 'submission' | 'record';
  id?: string;
  data: Record<string, unknown>;
  stays: (scope: Scope, folderId: string | undefined) => Promise<void>;
  note: (scope: Scope) => Promise<void>;
};

/**
 * The values of a document: those that were sent, or those of a submission or record that the actor may read. Errors: 400, 422
 * `document_source_not_found`.
 */
export async function sourceOf(scope: ReadScope, { data, submissionId, record }: DocumentBody): Promise<Source> {
  if ([data, submissionId, record].filter((one) => one !== undefined).length !== 1)
    throw problems.validation_failed('Give exactly one of `data`, `submissionId` and `record`.', {
      errors: [{ name: 'data', pointer: '/data', reason: 'or `submissionId` or `record` must be given, and only one', rule: 'required' }],
    });
  if (data !== undefined) {
    refuseTooLarge('data', JSON.stringify(data), most.data);
    return { kind: 'data', data, stays: async () => undefined, note: async () => undefined };
  }
  const found = await (submissionId === undefined ? ofRecord(scope, record) : ofSubmission(scope, submissionId));
  refuseTooLarge('data', JSON.stringify(found.data), most.data);
  return found;
}

async function ofSubmission(scope: ReadScope, submissionId: string): Promise<Source> {
  const read = await unlessMissing(scope.actor, 'interfaces:read', () => readableSubmission(scope, submissionId));
  return {
    kind: 'submission',
    id: read.id,
    data: read.data,
    stays: (writing, folderId) => staysBehindBarrier(writing, submissionId, folderId),
    note: (writing) => noteSubmissionRead(writing, read),
  };
}

async function staysBehindBarrier(scope: Scope, submissionId: string, folderId: string | undefined): Promise<void> {
  const { folderId: from } = await unlessMissing(scope.actor, 'interfaces:read', () => readableSubmission(scope, submissionId));
  if (from === null || (await lockMoveBehindBarrier(scope, from, folderId))) return;
  throw templateProblems.document_outside_barrier('A barrier protects the submission. Set `folderId` to a folder in the same barrier.', {
    errors: [{ name: 'folderId', pointer: '/folderId', reason: 'must be in the barrier of the submission', rule: 'barrier' }],
  });
}

async function ofRecord(scope: ReadScope, named: DocumentBody['record']): Promise<Source> {
  const { registryTypeId = '', recordId = '' } = named ?? {};
  const recordFor = (reading: ReadScope) =>
    unlessMissing(reading.actor, 'registries:read', () => readableRecord(reading, registryTypeId, recordId));
  const read = await recordFor(scope);
  return {
    kind: 'record',
    id: read.id,
    data: read.data,
    // A registry is in no folder, so no barrier hides it.
    stays: async (writing) => void (await recordFor(writing)),
    note: (writing) => noteRecordRead(writing, read),
  };
}

/** What a program may do with things by their identifiers is what its scopes say, whichever operation it names them in. */
async function unlessMissing<T>(actor: Actor, needed: string, read: () => Promise<T | undefined>): Promise<T> {
  const missing = () =>
    templateProblems.document_source_not_found('It names no submission or record that you may read. Check the identifier.');
  if ('scopes' in actor && !actor.scopes.has(needed)) throw missing();
  const found = await read().catch((error: unknown) => {
    throw error instanceof Problem && (error.status === 404 || error.status === 403) ? missing() : error;
  });
  if (found === undefined) throw missing();
  return found;
}
