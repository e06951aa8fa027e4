import { randomUUIDv7 } from 'node:crypto';
import { refuseInClosedMatter } from '#folders';
import type { Reader } from '../../../platform/database/database.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { recordCreated, recordErased } from '../events.ts';
import { registryProblems } from '../problems.ts';
import { registries } from '../queries.ts';
import {
  type RecordData,
  insertRecords,
  recordWithValue,
  requireData,
  reserveValuesOfRecord,
  taken,
  valueTaken,
  withDefaults,
} from '../records/index.ts';
import { type Bound, type BoundRegistry, boundRegistry } from './bound.ts';
import { eraseOfSubmissions, unlinkApproved } from './queries.ts';

/** The record to create from a submission. */
export type Submitted = Bound & {
  submissionId: string;
  /** Values by the ids of the fields of the registry. */
  data: RecordData;
  /** Whether the record waits for approval. Until then it does not appear in searches and references, and reserves no values of unique fields. */
  pending: boolean;
};

/**
 * Creates the record of a submission in the transaction of the caller, and returns its id. The actor needs no access to the registry.
 * Throws 409 `matter_closed`, `registry_binding_ended`, `registry_value_taken`, and 422 `registry_record_invalid`.
 */
export async function createSubmittedRecord(scope: Scope, { submissionId, data, pending, ...bound }: Submitted): Promise<string> {
  const registry = await scope.db.locked(registries.hold, { team: scope.team, id: bound.registryId }, () => boundRegistry(scope, bound));
  if (!registry)
    throw registryProblems.registry_binding_ended(
      'The registry was deleted, or the member who bound the form to it no longer has the right to do so. Ask the owner of the registry or an administrator to publish the form again.',
    );
  refuseInClosedMatter(scope, registry.matter);
  const prepared = await requireData({ fields: registry.fields, team: scope.team }, withDefaults(registry.fields, data));
  const id = randomUUIDv7();
  const status = pending ? 'pending' : 'active';
  await pipelined([
    () => (pending ? undefined : reserveValuesOfRecord(scope, registry.id, id, prepared)),
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

/**
 * Checks that the record of a submission can be created now. It creates nothing. Throws 409 `registry_value_taken`, and 422
 * `registry_record_invalid`.
 */
export async function requireSubmittable(
  { db, team }: { db: Reader; team: string },
  registry: BoundRegistry,
  { data, pending }: Pick<Submitted, 'data' | 'pending'>,
): Promise<void> {
  const { unique } = await requireData({ fields: registry.fields, team }, withDefaults(registry.fields, data));
  // A pending record reserves no values.
  for (const value of pending ? [] : unique)
    if (await db.first(recordWithValue, { team, registry: registry.id, ...value })) throw taken(value.field);
}

/**
 * Returns the creator of the record: a visitor without an account, or the API client. `recordedAs` takes precedence over the actor whose rights are
 * used.
 */
function creatorOf({ actor, recordedAs = actor }: Scope): { by: string | null; byType: string } {
  const person = recordedAs.type !== 'visitor' && 'id' in recordedAs;
  return person ? { by: recordedAs.id, byType: recordedAs.type } : { by: null, byType: 'visitor' };
}

/** Keeps the records of a submission that a member approved, without their link to it. */
export function keepApprovedRecords({ db, team }: Scope, submission: string, ids: readonly string[]): void {
  if (ids.length > 0) db.send(unlinkApproved, { team, submission, ids });
}

/** Permanently erases the records of these submissions with their history. Returns the ids of the records. */
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
