import { randomUUIDv7 } from 'node:crypto';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { recordCreated, recordErased } from '../events.ts';
import { registryProblems } from '../problems.ts';
import { registries } from '../queries.ts';
import { type Data, insertRecords, requireData, takeValues, valueTaken, withDefaults } from '../records/index.ts';
import { type Bound, boundRegistry } from './bound.ts';
import { eraseOfSubmissions } from './queries.ts';

/** What a submission asks for. */
export type Submitted = Bound & {
  submissionId: string;
  /** Values by the ids of the registry's fields. */
  data: Data;
  /** Whether it waits for approval: it is found and named by nobody until then, and has no value of a unique field yet. */
  pending: boolean;
};

/**
 * Makes the record of a submission, in the caller's transaction, and returns its id. Whoever submits need not see the registry. Errors:
 * 409 `registry_binding_ended`, `registry_value_taken`, 422 `registry_record_invalid`.
 */
export async function createSubmittedRecord(scope: Scope, { submissionId, data, pending, ...bound }: Submitted): Promise<string> {
  const registry = await scope.db.locked(registries.hold, { team: scope.team, id: bound.registryId }, () => boundRegistry(scope, bound));
  if (!registry)
    throw registryProblems.registry_binding_ended(
      'The registry was deleted, or the member who bound the form to it no longer has the right to do so. Ask the owner of the registry or an administrator to publish the form again.',
    );
  const prepared = await requireData({ fields: registry.fields, team: scope.team }, withDefaults(registry.fields, data));
  const id = randomUUIDv7();
  const status = pending ? 'pending' : 'active';
  await pipelined([
    () => (pending ? undefined : takeValues(scope, registry.id, id, prepared)),
    () =>
      scope.db.all(insertRecords, {
        team: scope.team,
        registry: registry.id,
        records: JSON.stringify([{ id, data: prepared.data, keys: prepared.keys }]),
        state: status,
        act: 'submitted',
        ...creatorOf(scope),
        submission: submissionId,
        at: scope.now,
      }),
    () => record(scope, recordCreated, id, { registryId: registry.id, version: 1, status, submissionId }),
  ]).catch(valueTaken);
  return id;
}

/** Who submits: somebody without an account, or a program. What is done is recorded as theirs, whosever rights are used. */
function creatorOf({ actor, recordedAs = actor }: Scope): { by: string | null; byType: string } {
  const person = recordedAs.type !== 'visitor' && 'id' in recordedAs;
  return person ? { by: recordedAs.id, byType: recordedAs.type } : { by: null, byType: 'visitor' };
}

/** Erases the records that these submissions have made, their history with them, for good. Returns their ids. */
export async function eraseSubmittedRecords(scope: Scope, submissionIds: readonly string[]): Promise<string[]> {
  if (submissionIds.length === 0) return [];
  const erased = await scope.db.all(eraseOfSubmissions, { team: scope.team, submissions: submissionIds });
  await pipelined(
    erased.map(
      ({ id, registry_id: registryId }) =>
        () =>
          recordAudit(scope, recordErased, id, { registryId }),
    ),
  );
  return erased.map(({ id }) => id);
}
