import type { RegistryAccess } from './policy.ts';
import type { ReachedRegistry } from './queries.ts';
import type { Grant, Registry } from './schemas.ts';
import type { ShareRow } from './share-queries.ts';

/** The registry as the caller sees it: what has no value is left out. */
export function presentRegistry(row: Omit<ReachedRegistry, 'shared' | 'shared_by_another'>, access: RegistryAccess): Registry {
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

export function presentShare(row: ShareRow): Grant {
  return {
    id: row.id,
    ...(row.user_id === null ? { team: true as const } : { userId: row.user_id }),
    access: row.access,
    reason: 'share',
    grantedBy: row.created_by,
    since: row.created_at,
  };
}
