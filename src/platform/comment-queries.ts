import { jsonThing, pageStatement } from './database/json-page.ts';
import { isoText } from './database/sorted-page.ts';
import type { TeamScopedId } from './database/statement.ts';

/** Creates the statement that lists the comments on a resource, the oldest first. `of` names the resource: member and column. */
export const commentList = (table: string, of: { member: string; column: string }, more: Record<string, string> = {}) =>
  pageStatement<TeamScopedId & { after: string; limit: number }>(
    `WITH page AS (
       SELECT c.* FROM ${table} c WHERE c.team_id = $team AND c.${of.column} = $id AND c.id > $after ORDER BY c.id LIMIT $limit + 1
     )`,
    {
      from: 'page c',
      item: jsonThing({
        id: 'c.id',
        [of.member]: `c.${of.column}`,
        ...more,
        createdBy: 'c.user_id',
        createdByType: 'c.created_by_type',
        text: 'c.text',
        createdAt: isoText('c.created_at'),
      }),
      order: 'c.id',
      key: ['c.id'],
    },
  );

/** The parameters of a new comment. */
export type CommentParams = TeamScopedId & { by: string; byType: string; text: string; at: Date };
