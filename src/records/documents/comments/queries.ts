import { commentList, type CommentParams } from '../../../platform/comment-queries.ts';
import type { Row } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../platform/database/statement.ts';

export const listComments = commentList('document_comment', { member: 'documentId', column: 'document_id' }, { version: 'c.version' });

export const insertComment = sqlStatement<CommentParams & { document: string; version: number | null }, never>(
  `INSERT INTO document_comment (team_id, id, document_id, version, user_id, created_by_type, text, created_at)
   VALUES ($team, $id, $document, $version, $by, $byType, $text, $at)`,
);

export const findComment = sqlStatement<TeamScopedId & { document: string }, Row<'document_comment', 'id' | 'user_id' | 'version'>>(
  'SELECT id, user_id, version FROM document_comment WHERE team_id = $team AND document_id = $document AND id = $id',
);

export const deleteComment = sqlStatement<TeamScopedId, { id: string }>(
  'DELETE FROM document_comment WHERE team_id = $team AND id = $id RETURNING id',
);
