import type { SharedAccess } from '#folders';
import type { ReachedRegistry } from './queries.ts';
import type { Registry } from './schemas.ts';

/** The registry as the caller sees it: what has no value is left out. */
export function presentRegistry(row: Omit<ReachedRegistry, 'shared' | 'shared_by_another'>, access: SharedAccess): Registry {
  return {
    id: row.id,
    name: row.name,
    ...(row.description === null ? {} : { description: row.description }),
    fields: row.fields,
    userId: row.user_id,
    access: access.level,
    ...(row.team_access === null ? {} : { teamAccess: row.team_access }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.deleted_at === null ? {} : { deletedAt: row.deleted_at }),
  };
}
