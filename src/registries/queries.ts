import type { Audience, PrincipalFilter } from '#access';
import { jsonPage, jsonThing, type ListPage } from '../platform/database/json-page.ts';
import { bySort, changeSorts, isoText, type Place, sortedBy } from '../platform/database/sorted-page.ts';
import { sqlStatement } from '../platform/database/statement.ts';
import { notWaitingAfterFailure } from '../platform/jobs/trouble-queries.ts';
import type { RegistryField } from './schemas.ts';

export type RegistryRow = {
  id: string;
  name: string;
  description: string | null;
  fields: RegistryField[];
  /** Ids of fields that were removed. */
  former_fields: string[];
  user_id: string;
  created_by: string;
  created_by_type: string;
  version: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
};
/** A registry with how the viewer stands to it. */
export type ReachedRegistry = RegistryRow & { relations: string[]; team_relations: string[] };

const columns = `r.id, r.name, r.description, r.fields, r.former_fields, r.user_id, r.created_by, r.created_by_type, r.version,
     r.created_at, r.updated_at, r.deleted_at`;
/** The relations that grants give the caller, and the whole team, to the registry `r`. */
const granted = `CROSS JOIN LATERAL (
     SELECT access_relations($team, $caller, $person, 'registry', r.id, r.user_id) AS relations,
       access_relations($team, $team, false, 'registry', r.id, NULL) AS team_relations
   ) granted`;
const because = { relations: 'the function returns an array', team_relations: 'the function returns an array' };

type One = { team: string; id: string };

/** A registry as somebody sees it, in the bin too: whoever asks looks at `deleted_at`. */
export const reachRegistry = sqlStatement<One & PrincipalFilter, ReachedRegistry>(
  `SELECT ${columns}, granted.* FROM registry r ${granted} WHERE r.team_id = $team AND r.id = $id`,
  because,
);

/** Holds a registry that records are written into: its fields stay as they are, and it stays where it is. */
export const holdRegistry = sqlStatement<One, { id: string }>('SELECT id FROM registry WHERE team_id = $team AND id = $id FOR KEY SHARE');

/** Locks a registry that is to be changed: whoever writes records is waited for. */
export const lockRegistry = sqlStatement<One, { id: string }>('SELECT id FROM registry WHERE team_id = $team AND id = $id FOR UPDATE');

type NewRegistry = {
  team: string;
  id: string;
  name: string;
  description: string | null;
  fields: string;
  user: string;
  by: string;
  byType: string;
  at: Date;
};
export const insertRegistry = sqlStatement<NewRegistry, never>(
  `INSERT INTO registry (team_id, id, name, description, fields, user_id, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $name, $description, $fields, $user, $by, $byType, $at, $at)`,
);

export const updateRegistry = sqlStatement<
  One & { name: string; description: string | null; fields: string; formerFields: readonly string[]; at: Date },
  never
>(
  `UPDATE registry SET name = $name, description = $description, fields = $fields, former_fields = $formerFields,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** Moves a registry into the bin, or out of it with null. */
export const binRegistry = sqlStatement<One & { deletedAt: Date | null; at: Date }, never>(
  'UPDATE registry SET deleted_at = $deletedAt, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

const visible = `($all OR r.user_id = $caller OR r.id IN (SELECT access_resources($team, $caller, $person, 'registry', $viewing::text[])))`;

const item = jsonThing(
  {
    id: 'r.id',
    name: 'r.name',
    description: 'r.description',
    userId: 'r.user_id',
    access: `coalesce($level, CASE WHEN granted.relations && $managing::text[] THEN 'manage' WHEN granted.relations && $editing::text[] THEN 'write' ELSE 'read' END)`,
    teamAccess: `CASE WHEN 'editor' = ANY (granted.team_relations) THEN 'write' WHEN 'viewer' = ANY (granted.team_relations) THEN 'read' END`,
    createdBy: 'r.created_by',
    createdByType: 'r.created_by_type',
    createdAt: isoText('r.created_at'),
    updatedAt: isoText('r.updated_at'),
    deletedAt: isoText('r.deleted_at'),
  },
  { fields: 'r.fields' },
);

type List = Audience & { team: string; limit: number; since: string | null } & Place;

/** A page of the registries that somebody sees, in an order. */
export const listRegistries = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'r');
  return sqlStatement<List, ListPage>(
    `WITH page AS (
       SELECT r.* FROM registry r
       WHERE r.team_id = $team AND r.deleted_at IS NULL AND ${after} AND ${visible} AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: `page r ${granted}`, item, order, key })}`,
  );
});

/** The same of what is in the bin and theirs: shares do not reach there. */
export const listBin = bySort(changeSorts, (sort) => {
  const { order, after, key } = sortedBy(sort, 'r');
  return sqlStatement<Omit<List, 'viewing'>, ListPage>(
    `WITH page AS (
       SELECT r.* FROM registry r
       WHERE r.team_id = $team AND r.deleted_at IS NOT NULL AND ${after} AND ($all OR r.user_id = $caller OR r.id IN (SELECT access_resources($team, $caller, $person, 'registry', $managing::text[])))
         AND ($since::timestamptz IS NULL OR r.updated_at >= $since)
       ORDER BY ${order} LIMIT $limit + 1
     ),
     ${jsonPage({ from: `page r ${granted}`, item, order, key })}`,
  );
});

/** What somebody who leaves had is another's. */
export const handOverRegistries = sqlStatement<{ team: string; from: string; to: string; at: Date }, { id: string }>(
  `UPDATE registry SET user_id = $to, version = version + 1, updated_at = $at WHERE team_id = $team AND user_id = $from RETURNING id`,
);

/** The job that empties the bins, and the teams for which it has something to do, the longest due first. */
export const registryBin = 'registry-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT due.team_id FROM (
     SELECT r.team_id, r.deleted_at FROM registry r WHERE r.deleted_at < $before
     UNION ALL SELECT c.team_id, c.deleted_at FROM registry_record c WHERE c.state = 'deleted' AND c.deleted_at < $before
   ) due WHERE ${notWaitingAfterFailure(registryBin, 'due.team_id', "''")}
   GROUP BY due.team_id ORDER BY min(due.deleted_at) LIMIT 1000`,
);

/** Some of the records of a team that have been in the bin for their time, or whose registry has; `gone` says how many there were. */
export const purgeRecords = sqlStatement<{ team: string; before: Date }, { gone: number }>(
  `WITH old AS (
     (SELECT registry_id, id FROM registry_record WHERE team_id = $team AND state = 'deleted' AND deleted_at < $before ORDER BY deleted_at LIMIT 500)
     UNION (SELECT c.registry_id, c.id FROM registry r JOIN registry_record c ON c.team_id = $team AND c.registry_id = r.id
       WHERE r.team_id = $team AND r.deleted_at < $before LIMIT 500)
   ), purged AS (
     DELETE FROM registry_record c USING old WHERE c.team_id = $team AND c.registry_id = old.registry_id AND c.id = old.id RETURNING c.id
   ) SELECT count(*)::int AS gone FROM purged`,
);

/** Registries that have been in the bin for their time, once no record is left. */
export const purgeRegistries = sqlStatement<{ team: string; before: Date }, { id: string }>(
  `DELETE FROM registry r WHERE r.team_id = $team AND r.deleted_at < $before
     AND NOT EXISTS (SELECT FROM registry_record c WHERE c.team_id = $team AND c.registry_id = r.id) RETURNING r.id`,
);
