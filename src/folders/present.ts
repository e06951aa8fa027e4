import type { CountedFolder } from './queries.ts';
import type { Folder, Share } from './schemas.ts';

/** The folder as the contract shows it: what has no value is left out. */
export function presentFolder(row: CountedFolder): Folder {
  return {
    id: row.id,
    name: row.name,
    ...(row.parent_id === null ? {} : { parentId: row.parent_id }),
    userId: row.user_id,
    childrenCount: row.children,
    documentsCount: row.documents,
    shareCount: row.shares,
    ...(row.description === null ? {} : { description: row.description }),
    ...(row.color === null ? {} : { color: row.color }),
    ...(Object.keys(row.metadata).length === 0 ? {} : { metadata: row.metadata }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function presentShare(row: { id: string; folder_id: string; user_id: string; access: string; created_at: string }): Share {
  return {
    id: row.id,
    folderId: row.folder_id,
    userId: row.user_id,
    access: row.access === 'write' ? 'write' : 'read',
    createdAt: row.created_at,
  };
}
