import { levelOf, type ResourceAccess, teamLevelOf } from '#access';
import type { ReachedRegistry } from './queries.ts';
import type { Registry } from './schemas.ts';

/** Builds the response of a registry with the access of the caller. */
export function presentRegistry(row: ReachedRegistry, access: ResourceAccess<'registry'>): Registry {
  return {
    id: row.id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    fields: row.fields,
    userId: row.user_id,
    ...(row.container_id === null ? {} : { matterId: row.container_id }),
    access: levelOf(access),
    ...teamLevelOf(row.team_relations),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  };
}
