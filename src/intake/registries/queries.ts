import { resourceQueries } from '#access';
import type { RowWithout } from '../../platform/database/row.ts';
import { isoText } from '../../platform/database/sorted-page.ts';
import { sqlStatement, type TeamScopedId } from '../../platform/database/statement.ts';
import type { RegistryField } from './schemas.ts';

export type RegistryRow = RowWithout<'registry', 'fields' | 'former_fields' | 'team_id'> & {
  fields: RegistryField[];
  /** The ids of removed fields. */
  former_fields: string[];
};
/** A registry with the relations of the caller and of the whole team. */
export type ReachedRegistry = RegistryRow & {
  relations: string[];
  team_relations: string[];
  inherited: string[];
  excluded: boolean;
  outsider: boolean;
  /** The barrier of its matter. */
  barrier_id: string;
};

/** Queries of registries. `find` includes registries in the bin. `hold` prevents changes of the fields while records are written. */
export const registries = resourceQueries<RegistryRow>({
  type: 'registry',
  table: 'registry',
  owner: 'user_id',
  container: 'container_id',
  columns: `r.id, r.container_id, r.name, r.description, r.fields, r.former_fields, r.user_id, r.created_by, r.created_by_type, r.version,
     r.created_at, r.updated_at, r.deleted_at`,
  members: {
    id: 'r.id',
    name: 'r.name',
    description: 'r.description',
    userId: 'r.user_id',
    matterId: 'r.container_id',
    createdBy: 'r.created_by',
    createdByType: 'r.created_by_type',
    deletedAt: isoText('r.deleted_at'),
  },
  whole: { fields: 'r.fields' },
});
export const listRegistries = registries.list('r.deleted_at IS NULL');
export const registriesNamed = registries.among('r.deleted_at IS NULL');
/** The registries with records that wait for approval. */
export const registriesToReview = registries.where(
  "r.deleted_at IS NULL AND EXISTS (SELECT FROM registry_record p WHERE p.team_id = $team AND p.registry_id = r.id AND p.state = 'pending')",
);
export const listBin = registries.list('r.deleted_at IS NOT NULL');

type NewRegistry = {
  team: string;
  id: string;
  name: string;
  description: string | null;
  fields: string;
  user: string;
  matter: string | null;
  by: string;
  byType: string;
  at: Date;
};
export const insertRegistry = sqlStatement<NewRegistry, never>(
  `INSERT INTO registry (team_id, id, name, description, fields, user_id, container_id, created_by, created_by_type, created_at, updated_at)
   VALUES ($team, $id, $name, $description, $fields, $user, $matter, $by, $byType, $at, $at)`,
);

export const updateRegistry = sqlStatement<
  TeamScopedId & { name: string; description: string | null; fields: string; formerFields: readonly string[]; at: Date },
  never
>(
  `UPDATE registry SET name = $name, description = $description, fields = $fields, former_fields = $formerFields,
     version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);

/** Puts a registry into a matter, or out of it. */
export const setMatter = sqlStatement<TeamScopedId & { matter: string | null; at: Date }, never>(
  'UPDATE registry SET container_id = $matter, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** Moves a registry to the bin. Null in `deletedAt` restores it. */
export const binRegistry = sqlStatement<TeamScopedId & { deletedAt: Date | null; at: Date }, never>(
  'UPDATE registry SET deleted_at = $deletedAt, version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

/** The name of the job that empties the bins. `binsToEmpty` finds the teams with expired entries, oldest first. */
export const registryBin = 'registry-bin';
export const binsToEmpty = sqlStatement<{ before: Date }, { team_id: string }>(
  `SELECT due.team_id FROM (
     SELECT r.team_id, r.deleted_at FROM registry r WHERE r.deleted_at < $before
     UNION ALL SELECT c.team_id, c.deleted_at FROM registry_record c WHERE c.state = 'deleted' AND c.deleted_at < $before
   ) due WHERE NOT job_waits('${registryBin}', due.team_id, '')
   GROUP BY due.team_id ORDER BY min(due.deleted_at) LIMIT 1000`,
);

/** Deletes a batch of records that have expired in the bin, or whose registry has. `gone` is the number of deleted records. */
export const purgeRecords = sqlStatement<{ team: string; before: Date }, { gone: number }>(
  `WITH old AS (
     (SELECT registry_id, id FROM registry_record WHERE team_id = $team AND state = 'deleted' AND deleted_at < $before ORDER BY deleted_at LIMIT 500)
     UNION (SELECT c.registry_id, c.id FROM registry r JOIN registry_record c ON c.team_id = $team AND c.registry_id = r.id
       WHERE r.team_id = $team AND r.deleted_at < $before LIMIT 500)
   ), purged AS (
     DELETE FROM registry_record c USING old WHERE c.team_id = $team AND c.registry_id = old.registry_id AND c.id = old.id RETURNING c.id
   ) SELECT count(*)::int AS gone FROM purged`,
);

/** Deletes expired registries without records. */
export const purgeRegistries = sqlStatement<{ team: string; before: Date }, { id: string }>(
  `DELETE FROM registry r WHERE r.team_id = $team AND r.deleted_at < $before
     AND NOT EXISTS (SELECT FROM registry_record c WHERE c.team_id = $team AND c.registry_id = r.id) RETURNING r.id`,
);
