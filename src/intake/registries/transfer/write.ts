import { isUuid } from '../../../platform/identifiers.ts';
import type { Scope } from '../../../platform/scope.ts';
import { yieldToEventLoop } from '../../../platform/yield.ts';
import type { AccessibleRegistry } from '../access.ts';
import { lockNamedRecords, insertRecords, isReadable } from '../records/index.ts';
import { releaseUniqueValuesOfRecords, reserveFreeUniqueValues } from './queries.ts';
import { addErrors, type ImportReading, type ReadRow } from './read.ts';

const recordBatchSize = 500;
const referenceBatchSize = 2_000;

/** Whether an import with invalid rows imports nothing (`all`) or the valid rows (`good`). */
export type Mode = 'all' | 'good';

/**
 * Creates the records of a file in the transaction of the caller. With `mode` `all` it creates none if a row has errors.
 * It adds the errors that depend on other records. Returns the number of created records.
 */
export async function writeRows(scope: Scope, { registry }: AccessibleRegistry, reading: ImportReading, mode: Mode): Promise<number> {
  if (mode === 'all' && reading.bad.size > 0) return 0;
  await refuseUnknown(scope, reading);
  await reserveValuesOfRecord(scope, registry.id, reading);
  const good = reading.rows.filter(({ number }) => !reading.bad.has(number));
  if (mode === 'all' && reading.bad.size > 0) {
    await give(scope, registry.id, good);
    return 0;
  }
  const turns = yieldToEventLoop();
  for (let at = 0; at < good.length; at += recordBatchSize) {
    await scope.db.all(insertRecords, {
      team: scope.team,
      registry: registry.id,
      records: `[${good
        .slice(at, at + recordBatchSize)
        .map(({ id, record }) => `{"id":"${id}",${record.slice(1)}`)
        .join(',')}]`,
      state: 'active',
      act: 'imported',
      by: 'id' in scope.actor ? scope.actor.id : null,
      byType: scope.actor.type,
      submission: null,
      at: scope.now,
    });
    await turns.next();
  }
  return good.length;
}

/** Adds errors for references to records that do not exist, or whose registry the actor cannot read. */
async function refuseUnknown(scope: Scope, reading: ImportReading): Promise<void> {
  const named = reading.rows.flatMap((row) => row.named.map((one) => ({ ...one, number: row.number })));
  if (named.length === 0) return;
  const open = new Map<string, boolean>();
  for (const { registryTypeId } of named) if (!open.has(registryTypeId)) open.set(registryTypeId, await isReadable(scope, registryTypeId));
  const there = new Set<string>();
  // All transactions lock the records in the same order, which prevents deadlocks.
  const references = [
    ...new Map(named.filter((one) => open.get(one.registryTypeId) && isUuid(one.recordId)).map((one) => [keyOf(one), one])).values(),
  ].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  for (let at = 0; at < references.length; at += referenceBatchSize) {
    const some = references.slice(at, at + referenceBatchSize);
    const found = await scope.db.all(lockNamedRecords, {
      team: scope.team,
      registries: some.map(({ registryTypeId }) => registryTypeId),
      ids: some.map(({ recordId }) => recordId),
    });
    for (const { registry_id: registryTypeId, id: recordId } of found) there.add(keyOf({ registryTypeId, recordId }));
  }
  for (const one of named)
    if (!there.has(keyOf(one)))
      addErrors(reading, one.number, [
        {
          name: one.field,
          pointer: `/data/${one.field}`,
          reason: 'It does not refer to a record that you can read.',
          rule: 'record',
        },
      ]);
}

const keyOf = ({ registryTypeId, recordId }: { registryTypeId: string; recordId: string }) =>
  `${registryTypeId.toLowerCase()} ${recordId.toLowerCase()}`;

/** Reserves the values of unique fields with one statement, before all other contended locks. Rows whose values are in use get errors. */
async function reserveValuesOfRecord(scope: Scope, registry: string, reading: ImportReading): Promise<void> {
  const wanted = await textOfWanted(reading);
  if (wanted === '[]') return;
  const others = await scope.db.all(reserveFreeUniqueValues, { team: scope.team, registry, wanted });
  if (others.length === 0) return;
  const taken = new Map(others.map(({ record_id: id, fields }) => [id, fields]));
  const without = new Set<ReadRow>();
  for (const row of reading.rows) {
    const fields = taken.get(row.id);
    if (!fields) continue;
    without.add(row);
    addErrors(
      reading,
      row.number,
      fields.map((field) => ({
        name: field,
        pointer: `/data/${field}`,
        reason: 'The field is unique, and another record has this value.',
        rule: 'unique',
      })),
    );
  }
  await give(scope, registry, [...without]);
}

/** Returns the values of unique fields as JSON, and yields to the event loop between batches. */
async function textOfWanted({ rows, bad }: ImportReading): Promise<string> {
  const turns = yieldToEventLoop();
  const parts: string[] = [];
  for (let at = 0; at < rows.length; at += recordBatchSize) {
    const some = rows.slice(at, at + recordBatchSize).filter(({ number, unique }) => unique !== '' && !bad.has(number));
    if (some.length > 0) parts.push(some.map(({ id, unique }) => `{"id":"${id}","values":${unique}}`).join(','));
    if (turns.over) await turns.next();
  }
  return `[${parts.join(',')}]`;
}

async function give(scope: Scope, registry: string, rows: readonly ReadRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += referenceBatchSize)
    await scope.db.all(releaseUniqueValuesOfRecords, {
      team: scope.team,
      registry,
      ids: rows.slice(at, at + referenceBatchSize).map(({ id }) => id),
    });
}
