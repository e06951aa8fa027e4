import { type GrantRow, presentGrant, principalOf } from '#access';
import type { CountedFolder } from './queries.ts';
import type { Folder, Share } from './schemas.ts';

/** Converts a row to the folder of the API. Members without a value are absent. */
export function presentFolder(row: CountedFolder): Folder {
  return {
    id: row.id,
    name: row.name,
    ...(row.parent_id === null || row.parent_id === row.matter_id ? {} : { parentId: row.parent_id }),
    ...(row.matter_id === null ? {} : { matterId: row.matter_id }),
    userId: row.user_id,
    childrenCount: row.children,
    documentsCount: row.documents,
    shareCount: row.shares,
    ...(row.team_access === null ? {} : { teamAccess: row.team_access }),
    ...(row.barrier_id === row.id ? { barrier: true as const } : {}),
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.color === null ? {} : { color: row.color }),
    createdBy: row.created_by,
    createdByType: row.created_by_type,
    ...(Object.keys(row.metadata).length === 0 ? {} : { metadata: row.metadata }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function presentShare(folderId: string, row: GrantRow): Share {
  return {
    id: row.id,
    folderId,
    ...principalOf(row),
    access: presentGrant(row).access === 'write' ? 'write' : 'read',
    createdAt: row.created_at,
  };
}
