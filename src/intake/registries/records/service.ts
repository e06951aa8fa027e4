import { randomUUIDv7 } from 'node:crypto';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { readableRegistry, type AccessibleRegistry, writableRegistry } from '../access.ts';
import { recordApproved, recordCreated, recordDeclined, recordDeleted, recordRestored, recordUpdated } from '../events.ts';
import { registryProblems } from '../problems.ts';
import { presentRecord } from './present.ts';
import * as queries from './queries.ts';
import { requireReferences } from './references.ts';
import type { RegistryRecord } from './schemas.ts';
import { valueTaken } from './unique.ts';
import { type RecordData, prepare, type Prepared, requireData, requirePatch, withDefaults } from './values.ts';
import { write } from './write.ts';

/** A record with its registry. */
export type FoundRecord = AccessibleRegistry & { row: queries.RecordRow };

/** Returns whether a registry has records, including those in the bin. */
export async function hasRecords(scope: Scope, registry: string): Promise<boolean> {
  return (await scope.db.first(queries.anyRecord, { team: scope.team, registry }))?.some ?? false;
}

/** Returns a record. Pending and deleted records require the right to change records. Throws 404. */
export async function findRecord(scope: ReadScope, typeId: string, id: string): Promise<FoundRecord> {
  const found = await readableRegistry(scope, typeId);
  const row = await scope.db.first(queries.findRecord, { team: scope.team, registry: found.registry.id, id: pathId(id, 'record') });
  if (!row || (row.state !== 'active' && !found.access.can('edit'))) throw notFound('record');
  return { ...found, row };
}

export const shown = ({ row, registry }: Pick<FoundRecord, 'row' | 'registry'>): Versioned<RegistryRecord> => ({
  value: presentRecord(row, registry.former_fields),
  version: row.version,
});

/** Creates a record; with `pending` one that waits for approval and reserves nothing. Throws 403, 404, 409 `registry_value_taken`, and 422 `registry_record_invalid`. */
export async function createRecord(
  scope: Scope,
  typeId: string,
  given: RecordData,
  status: 'active' | 'pending' = 'active',
): Promise<Versioned<RegistryRecord>> {
  if (scope.actor.type === 'system') throw new Error('a record needs an actor with an identifier');
  const { registry, access } = await writableRegistry(scope, typeId);
  const prepared = await requireData({ fields: registry.fields, team: scope.team }, withDefaults(registry.fields, given));
  await requireReferences(scope, registry.fields, prepared.data);
  const id = randomUUIDv7();
  const at = { team: scope.team, registry: registry.id };
  await pipelined([
    () => (status === 'pending' ? undefined : reserveValuesOfRecord(scope, registry.id, id, prepared)),
    () =>
      scope.db.all(queries.insertRecords, {
        ...at,
        records: JSON.stringify([{ id, data: prepared.data, keys: prepared.keys }]),
        state: status,
        act: 'created',
        by: 'id' in scope.actor ? scope.actor.id : null,
        byType: scope.actor.type,
        submission: null,
        at: scope.now,
      }),
    () => record(scope, recordCreated, id, { registryId: registry.id, version: 1, status, ...access.byRole('edit') }),
  ]).catch(valueTaken);
  return shown({ registry, row: await reread(scope, registry.id, id) });
}

/**
 * Creates the record of a workflow step, or with `update` changes the record with the same value in that unique field. Returns its id. Throws the
 * errors of {@link createRecord} and {@link patchRecord}.
 */
export async function writeRecordOfStep(
  scope: Scope,
  typeId: string,
  { data, update, pending, workflow }: { data: RecordData; update: string | undefined; pending: boolean; workflow: string },
): Promise<string> {
  const { registry } = await writableRegistry(scope, typeId);
  const at = { team: scope.team, registry: registry.id };
  const value = prepare(registry.fields, data).unique.find(({ field }) => field === update);
  const existing = value && (await scope.db.first(queries.recordWithValue, { ...at, ...value }));
  const { value: written } = existing
    ? await patchRecord(scope, { typeId, id: existing.id, expect: () => undefined }, data)
    : await createRecord(scope, typeId, data, pending ? 'pending' : 'active');
  scope.db.send(queries.linkWorkflow, { ...at, id: written.id, workflow });
  return written.id;
}

/** Reserves the values of unique fields of a record. */
export function reserveValuesOfRecord(scope: Scope, registry: string, id: string, { unique }: Prepared): Promise<unknown> {
  if (unique.length === 0) return Promise.resolve();
  return scope.db.all(queries.reserveUniqueValues, {
    team: scope.team,
    registry,
    ids: unique.map(() => id),
    fields: unique.map(({ field }) => field),
    keys: unique.map(({ key }) => key),
  });
}

async function reread(scope: Scope, registry: string, id: string): Promise<queries.RecordRow> {
  const row = await scope.db.first(queries.findRecord, { team: scope.team, registry, id });
  if (!row) throw notFound('record');
  return row;
}

/** Locks a record for a change by the actor, and prevents changes of its registry. Throws 403, 404 and 412. */
async function lockedRecord(
  scope: Scope,
  { typeId, id, expect }: { typeId: string; id: string; expect: VersionCheck },
  states: readonly queries.RecordState[],
): Promise<FoundRecord> {
  const found = await writableRegistry(scope, typeId);
  const row = await scope.db.first(queries.lockRecord, { team: scope.team, registry: found.registry.id, id: pathId(id, 'record') });
  if (!row || !states.includes(row.state)) throw notFound('record');
  expect(row.version);
  return { ...found, row };
}

export type RecordTarget = { typeId: string; id: string; expect: VersionCheck };

/** Replaces all values of a record. Throws 403, 404, 409 `registry_value_taken`, 412, and 422 `registry_record_invalid`. */
export async function replaceRecord(scope: Scope, at: RecordTarget, given: RecordData): Promise<Versioned<RegistryRecord>> {
  const found = await lockedRecord(scope, at, ['active', 'pending']);
  return changeValues(scope, found, await requireData({ fields: found.registry.fields, team: scope.team }, given));
}

/** Changes some values of a record; null removes a value. Throws the same errors as {@link replaceRecord}. */
export async function patchRecord(scope: Scope, at: RecordTarget, given: RecordData): Promise<Versioned<RegistryRecord>> {
  const found = await lockedRecord(scope, at, ['active', 'pending']);
  return changeValues(scope, found, await requirePatch({ fields: found.registry.fields, team: scope.team }, found.row.data, given));
}

/** Restores the values of an earlier version in the fields that still exist. Throws the same errors as {@link replaceRecord}. */
export async function revertRecord(scope: Scope, at: RecordTarget, version: number): Promise<Versioned<RegistryRecord>> {
  const found = await lockedRecord(scope, at, ['active', 'pending']);
  const { registry, row } = found;
  const of = { team: scope.team, registry: registry.id, id: row.id, version };
  const earlier = version === row.version ? row : await scope.db.first(queries.findVersion, of);
  if (!earlier) throw notFound('version of this record');
  const { data } = earlier;
  const known = Object.fromEntries(registry.fields.flatMap(({ id }) => (Object.hasOwn(data, id) ? [[id, data[id]]] : [])));
  return changeValues(scope, found, await requireData({ fields: registry.fields, team: scope.team }, known), version);
}

async function changeValues(scope: Scope, found: FoundRecord, prepared: Prepared, reverted?: number): Promise<Versioned<RegistryRecord>> {
  const { registry, access, row } = found;
  await requireReferences(scope, registry.fields, prepared.data, row.data);
  const before = presentRecord(row, registry.former_fields).data;
  const fields = changedIds(before, prepared.data);
  // A request without a change creates no version.
  if (fields.length === 0) return shown(found);
  await write(scope, found, { prepared, state: row.state, act: reverted === undefined ? 'updated' : 'reverted' }, () =>
    record(scope, recordUpdated, row.id, {
      registryId: registry.id,
      version: row.version + 1,
      fields,
      ...(reverted === undefined ? {} : { restoredVersion: reverted }),
      ...access.byRole('edit'),
    }),
  );
  return shown({ registry, row: await reread(scope, registry.id, row.id) });
}

/** Returns the ids of the fields whose values differ. */
export function changedIds(before: RecordData, after: RecordData): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (id) => JSON.stringify(before[id]) !== JSON.stringify(after[id]),
  );
}

/** Moves a record to the bin. A pending record is thereby declined. Throws 403, 404 and 412. */
export async function deleteRecord(scope: Scope, at: RecordTarget): Promise<void> {
  const found = await lockedRecord(scope, at, ['active', 'pending']);
  await toBin(scope, found, found.row.state === 'pending' ? 'declined' : 'deleted');
}

async function toBin(scope: Scope, found: FoundRecord, act: 'declined' | 'deleted'): Promise<void> {
  const { registry, access, row } = found;
  const event = act === 'declined' ? recordDeclined : recordDeleted;
  // Records in the bin have no keys and reserve no unique values.
  await write(scope, found, { prepared: { data: row.data, keys: {}, unique: [] }, state: 'deleted', act }, () =>
    record(scope, event, row.id, { registryId: registry.id, version: row.version + 1, ...access.byRole('edit') }),
  );
}

/** Restores a record from the bin; a declined record waits for approval again. Throws 403, 404 and 409 `registry_value_taken`. */
export async function restoreRecord(scope: Scope, at: Omit<RecordTarget, 'expect'>): Promise<Versioned<RegistryRecord>> {
  const found = await lockedRecord(scope, { ...at, expect: () => undefined }, ['deleted']);
  const { registry, access, row } = found;
  const state = row.act === 'declined' ? 'pending' : 'active';
  await write(scope, found, { prepared: prepare(registry.fields, row.data), state, act: 'restored' }, () =>
    record(scope, recordRestored, row.id, { registryId: registry.id, version: row.version + 1, ...access.byRole('edit') }),
  );
  return shown({ registry, row: await reread(scope, registry.id, row.id) });
}

/** Approves a record of a form. Throws 403, 404, 409 `registry_record_not_pending`, `registry_value_taken`, and 412. */
export async function approveRecord(scope: Scope, at: RecordTarget): Promise<Versioned<RegistryRecord>> {
  const found = await pendingRecord(scope, at);
  const { registry, access, row } = found;
  await write(scope, found, { prepared: prepare(registry.fields, row.data), state: 'active', act: 'approved' }, () =>
    record(scope, recordApproved, row.id, { registryId: registry.id, version: row.version + 1, ...access.byRole('edit') }),
  );
  return shown({ registry, row: await reread(scope, registry.id, row.id) });
}

/** Declines a record of a form and moves it to the bin. Throws 403, 404, 409 `registry_record_not_pending`, and 412. */
export async function declineRecord(scope: Scope, at: RecordTarget): Promise<Versioned<RegistryRecord>> {
  const found = await pendingRecord(scope, at);
  await toBin(scope, found, 'declined');
  return shown({ registry: found.registry, row: await reread(scope, found.registry.id, found.row.id) });
}

async function pendingRecord(scope: Scope, at: RecordTarget): Promise<FoundRecord> {
  const found = await lockedRecord(scope, at, ['active', 'pending', 'deleted']);
  if (found.row.state !== 'pending')
    throw registryProblems.registry_record_not_pending('This record does not wait for approval. Read it to see its status.');
  return found;
}
