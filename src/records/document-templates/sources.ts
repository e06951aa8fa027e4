import { lockMoveBehindBarrier } from '#documents';
import { recordSubmissionRead, readableSubmission } from '#forms';
import { recordRecordRead, readableRecord } from '#registries';
import { Problem, problems } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { templateProblems } from './problems.ts';
import { type DocumentBody, most } from './schemas.ts';
import { refuseTooLarge } from './service.ts';

/**
 * The source of a document’s values. Rendering takes time, so `stays` checks again in the transaction that creates the document. The actor must be
 * allowed to read the source, and the folder must be inside its barrier. `note` records the read if only the actor’s role allowed it.
 */
export type Source = {
  kind: 'data' | 'submission' | 'record';
  id?: string;
  data: Record<string, unknown>;
  stays: (scope: Scope, folderId: string | undefined) => Promise<void>;
  note: (scope: Scope) => Promise<void>;
};

/**
 * Returns the values of a document: the sent ones, or those of a submission or record that the actor may read. Errors: 400, 422
 * `document_source_not_found`.
 */
export async function sourceOf(scope: ReadScope, { data, submissionId, record }: DocumentBody): Promise<Source> {
  if ([data, submissionId, record].filter((one) => one !== undefined).length !== 1)
    throw problems.validation_failed('Give exactly one of `data`, `submissionId` and `record`.', {
      errors: [
        { name: 'data', pointer: '/data', reason: 'or `submissionId` or `record` is required, exactly one of them', rule: 'required' },
      ],
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
    note: (writing) => recordSubmissionRead(writing, read),
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
    // Registries are in no folder, so no barrier applies to them.
    stays: async (writing) => void (await recordFor(writing)),
    note: (writing) => recordRecordRead(writing, read),
  };
}

/**
 * Runs `read` if the scopes of the actor allow it, regardless of the operation. Otherwise, or if it finds nothing, throws
 * `document_source_not_found`.
 */
async function unlessMissing<T>(actor: Actor, needed: string, read: () => Promise<T | undefined>): Promise<T> {
  const missing = () =>
    templateProblems.document_source_not_found(
      'No submission or record with this identifier exists, or you may not read it. Check the identifier.',
    );
  if ('scopes' in actor && !actor.scopes.has(needed)) throw missing();
  const found = await read().catch((error: unknown) => {
    throw error instanceof Problem && (error.status === 404 || error.status === 403) ? missing() : error;
  });
  if (found === undefined) throw missing();
  return found;
}
