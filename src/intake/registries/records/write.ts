import { pipelined } from '../../../platform/database/pipelined.ts';
import type { Scope } from '../../../platform/scope.ts';
import type { RegistryRow } from '../queries.ts';
import type { Keys } from './keys.ts';
import * as queries from './queries.ts';
import { valueTaken } from './unique.ts';
import type { Prepared, UniqueValue } from './values.ts';

type Next = { prepared: Prepared; state: queries.RecordState; act: queries.RecordAct };

/** Returns each field with each of its keys, as two lists. */
function pairs(keys: Keys): { fields: string[]; keys: string[] } {
  const all = Object.entries(keys).flatMap(([field, own]) => own.map((key) => ({ field, key })));
  return { fields: all.map(({ field }) => field), keys: all.map(({ key }) => key) };
}

/** Returns the keys that `others` does not have. */
function without(keys: Keys, others: Keys): Keys {
  return Object.fromEntries(
    Object.entries(keys).map(([field, own]) => {
      const there = new Set(others[field]);
      return [field, own.filter((key) => !there.has(key))];
    }),
  );
}

/**
 * Writes the next version of a locked record, stores the previous one in the history, and calls `recorded`. Unique values are reserved before
 * all other contended locks and released after them. Throws 409 `registry_value_taken`.
 */
export async function write(
  scope: Scope,
  { registry, row }: { registry: Pick<RegistryRow, 'id' | 'fields'>; row: queries.RecordRow },
  { prepared, state, act }: Next,
  recorded: () => Promise<void>,
): Promise<void> {
  const at = { team: scope.team, registry: registry.id, id: row.id };
  const has = (value: UniqueValue) => row.state === 'active' && (row.keys[value.field] ?? []).includes(value.key);
  const wanted = state === 'active' ? prepared.unique : [];
  const taken = wanted.filter((value) => !has(value));
  const stays = state === row.state;
  const gone = pairs(stays ? without(row.keys, prepared.keys) : row.keys);
  const made = pairs(stays ? without(prepared.keys, row.keys) : prepared.keys);
  await pipelined([
    () => taken.length > 0 && scope.db.all(queries.reserveUniqueValues, { ...at, ids: taken.map(() => row.id), ...columnsOf(taken) }),
    () => scope.db.all(queries.keepVersion, at),
    () =>
      scope.db.all(queries.updateRecord, {
        ...at,
        state,
        data: JSON.stringify(prepared.data),
        keys: JSON.stringify(prepared.keys),
        act,
        by: 'id' in scope.actor ? scope.actor.id : null,
        byType: scope.actor.type,
        deletedAt: state === 'deleted' ? scope.now : null,
        at: scope.now,
      }),
    () => registry.fields.some(({ unique }) => unique) && scope.db.all(queries.releaseUniqueValues, { ...at, ...columnsOf(wanted) }),
    () => gone.fields.length > 0 && scope.db.all(queries.deleteValues, { ...at, state: row.state, ...gone }),
    () => made.fields.length > 0 && scope.db.all(queries.insertValues, { ...at, state, ...made }),
    recorded,
  ]).catch(valueTaken);
}

const columnsOf = (values: readonly UniqueValue[]) => ({ fields: values.map(({ field }) => field), keys: values.map(({ key }) => key) });
