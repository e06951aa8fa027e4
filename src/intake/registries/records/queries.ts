import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement } from '../../../platform/database/statement.ts';
import type { Keys } from './keys.ts';

/** The actions that create a version of a record. */
export type RecordAct = 'created' | 'imported' | 'submitted' | 'updated' | 'approved' | 'declined' | 'deleted' | 'restored' | 'reverted';
export type RecordState = 'active' | 'pending' | 'deleted';

export type RecordRow = RowWithout<'registry_record', 'data' | 'keys' | 'team_id'> & { data: Record<string, unknown>; keys: Keys };

type InRegistry = { team: string; registry: string };
type RecordKey = InRegistry & { id: string };

const columns = `id, registry_id, state, data, keys, version, act, changed_by, changed_by_type, created_by, created_by_type, submission_id,
     workflow_id, created_at, updated_at, deleted_at`;

export const findRecord = sqlStatement<RecordKey, RecordRow>(
  `SELECT ${columns} FROM registry_record WHERE team_id = $team AND registry_id = $registry AND id = $id`,
);

/** Locks a record and returns its current row. */
export const lockRecord = sqlStatement<RecordKey, RecordRow>(
  `SELECT ${columns} FROM registry_record WHERE team_id = $team AND registry_id = $registry AND id = $id FOR NO KEY UPDATE`,
);

/** Records the workflow whose step created or changed a record. The transaction has locked the record. */
export const linkWorkflow = sqlStatement<RecordKey & { workflow: string }, never>(
  'UPDATE registry_record SET workflow_id = $workflow WHERE team_id = $team AND registry_id = $registry AND id = $id',
);

/** The record that has a value in a unique field. */
export const recordWithValue = sqlStatement<InRegistry & { field: string; key: string }, { id: string }>(
  'SELECT record_id AS id FROM registry_unique_value WHERE team_id = $team AND registry_id = $registry AND field = $field AND key = $key',
);

export const anyRecord = sqlStatement<InRegistry, { some: boolean }>(
  'SELECT EXISTS (SELECT FROM registry_record WHERE team_id = $team AND registry_id = $registry) AS some',
);

type NewRecords = InRegistry & {
  records: string;
  state: 'active' | 'pending';
  act: RecordAct;
  by: string | null;
  byType: string;
  submission: string | null;
  at: Date;
};

/** Inserts several records with their keys in one statement. `records` is a JSON array of `{id, data, keys}`. */
export const insertRecords = sqlStatement<NewRecords, never>(
  `WITH given AS (SELECT r.id, r.data, r.keys FROM jsonb_to_recordset($records::jsonb) AS r(id uuid, data jsonb, keys jsonb)),
   made AS (
     INSERT INTO registry_record (team_id, registry_id, id, state, data, keys, act, changed_by, changed_by_type, created_by, created_by_type,
       submission_id, created_at, updated_at)
     SELECT $team, $registry, given.id, $state, given.data, given.keys, $act, $by, $byType, $by, $byType, $submission, $at, $at FROM given
   )
   INSERT INTO registry_value (team_id, registry_id, state, field, key, record_id)
   SELECT $team, $registry, $state, e.key, k.key, given.id
   FROM given CROSS JOIN LATERAL jsonb_each(given.keys) e CROSS JOIN LATERAL jsonb_array_elements_text(e.value) AS k(key)`,
);

/** Stores the current version of a record before a change. */
export const keepVersion = sqlStatement<RecordKey, never>(
  `INSERT INTO registry_record_version (team_id, registry_id, record_id, version, data, act, changed_by, changed_by_type, changed_at)
   SELECT team_id, registry_id, id, version, data, act, changed_by, changed_by_type, updated_at FROM registry_record
   WHERE team_id = $team AND registry_id = $registry AND id = $id`,
);

export type RecordChange = RecordKey & {
  state: RecordState;
  data: string;
  keys: string;
  act: RecordAct;
  by: string | null;
  byType: string;
  deletedAt: Date | null;
  at: Date;
};

export const updateRecord = sqlStatement<RecordChange, never>(
  `UPDATE registry_record SET state = $state, data = $data, keys = $keys, version = version + 1, act = $act, changed_by = $by, changed_by_type = $byType,
     deleted_at = $deletedAt, updated_at = $at
   WHERE team_id = $team AND registry_id = $registry AND id = $id`,
);

type KeyValues = InRegistry & { state: string; id: string; fields: readonly string[]; keys: readonly string[] };

/** Deletes keys that a record no longer has. */
export const deleteValues = sqlStatement<KeyValues, never>(
  `DELETE FROM registry_value v USING unnest($fields::text[], $keys::text[]) AS gone(field, key)
   WHERE v.team_id = $team AND v.registry_id = $registry AND v.state = $state AND v.field = gone.field AND v.key = gone.key AND v.record_id = $id`,
);

export const insertValues = sqlStatement<KeyValues, never>(
  `INSERT INTO registry_value (team_id, registry_id, state, field, key, record_id)
   SELECT $team, $registry, $state, made.field, made.key, $id FROM unnest($fields::text[], $keys::text[]) AS made(field, key)
   ON CONFLICT DO NOTHING`,
);

type Unique = InRegistry & { ids: readonly string[]; fields: readonly string[]; keys: readonly string[] };

/**
 * Reserves values of unique fields for records. To prevent deadlocks, all callers insert in the same order, and before they acquire other contended
 * locks. The constraint `registry_value_once` rejects values of other records.
 */
export const reserveUniqueValues = sqlStatement<Unique, never>(
  `INSERT INTO registry_unique_value (team_id, registry_id, field, key, record_id)
   SELECT $team, $registry, taken.field, taken.key, taken.id FROM unnest($ids::uuid[], $fields::text[], $keys::text[]) AS taken(id, field, key)
   ORDER BY taken.field, taken.key`,
);

/** Releases the values of unique fields of a record, except the given ones. */
export const releaseUniqueValues = sqlStatement<RecordKey & { fields: readonly string[]; keys: readonly string[] }, never>(
  `DELETE FROM registry_unique_value u WHERE u.team_id = $team AND u.registry_id = $registry AND u.record_id = $id
     AND NOT EXISTS (SELECT FROM unnest($fields::text[], $keys::text[]) AS kept(field, key) WHERE kept.field = u.field AND kept.key = u.key)`,
);

/** Counts the values of a field that several active records have. */
export const countRepeated = sqlStatement<InRegistry & { field: string }, { repeated: number }>(
  `SELECT count(*)::int AS repeated FROM (
     SELECT FROM registry_value WHERE team_id = $team AND registry_id = $registry AND state = 'active' AND field = $field
     GROUP BY key HAVING count(*) > 1
   ) several`,
);

/** Reserves the values of all active records in a field that becomes unique. */
export const reserveUniqueValuesOfAll = sqlStatement<InRegistry & { field: string }, never>(
  `INSERT INTO registry_unique_value (team_id, registry_id, field, key, record_id)
   SELECT team_id, registry_id, field, key, record_id FROM registry_value
   WHERE team_id = $team AND registry_id = $registry AND state = 'active' AND field = $field ORDER BY key ON CONFLICT DO NOTHING`,
);

/** Releases all values of fields that are no longer unique or were removed. */
export const releaseUniqueValuesOfField = sqlStatement<InRegistry & { fields: readonly string[] }, never>(
  'DELETE FROM registry_unique_value WHERE team_id = $team AND registry_id = $registry AND field = ANY ($fields)',
);

/** Returns the active records among the given ones, and prevents their deletion until the transaction ends. */
export const lockNamedRecords = sqlStatement<
  { team: string; registries: readonly string[]; ids: readonly string[] },
  { registry_id: string; id: string }
>(
  `SELECT r.registry_id, r.id FROM unnest($registries::uuid[], $ids::uuid[]) AS named(registry_id, id)
   JOIN registry_record r ON r.team_id = $team AND r.registry_id = named.registry_id AND r.id = named.id
   WHERE r.state = 'active' ORDER BY r.registry_id, r.id FOR KEY SHARE OF r`,
);

type RecordReferences = { team: string; registries: readonly string[]; ids: readonly string[] };

/** Returns the values of the active records among the given ones. */
export const recordsOf = sqlStatement<RecordReferences, Pick<RecordRow, 'id' | 'registry_id' | 'data'>>(
  `SELECT r.id, r.registry_id, r.data FROM unnest($registries::uuid[], $ids::uuid[]) AS named(registry_id, id)
   JOIN registry_record r ON r.team_id = $team AND r.registry_id = named.registry_id AND r.id = named.id WHERE r.state = 'active'`,
);

export type VersionRow = Pick<RecordRow, 'version' | 'data' | 'act' | 'changed_by' | 'changed_by_type'> & { changed_at: string };

/** An earlier version of a record. */
export const findVersion = sqlStatement<RecordKey & { version: number }, { data: Record<string, unknown> }>(
  `SELECT data FROM registry_record_version
   WHERE team_id = $team AND registry_id = $registry AND record_id = $id AND version = $version`,
);

/** The versions of a record before the given one, newest first, including the current version. */
export const listVersions = sqlStatement<RecordKey & { before: number; limit: number }, VersionRow>(
  `SELECT version, data, act, changed_by, changed_by_type, updated_at AS changed_at FROM registry_record
   WHERE team_id = $team AND registry_id = $registry AND id = $id AND version < $before
   UNION ALL
   (SELECT version, data, act, changed_by, changed_by_type, changed_at FROM registry_record_version
    WHERE team_id = $team AND registry_id = $registry AND record_id = $id AND version < $before ORDER BY version DESC LIMIT $limit + 2)
   ORDER BY version DESC LIMIT $limit + 2`,
);
