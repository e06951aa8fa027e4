import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import { jsonThing, pageStatement } from './database/json-page.ts';
import { isoText } from './database/sorted-page.ts';
import type { TeamScopedId } from './database/statement.ts';
import { problems } from './problems.ts';
import { time } from './schema-parts.ts';
import type { Scope } from './scope.ts';

/* Comments on a resource. Each resource has its own table with the columns `id`, `user_id`, `created_by_type`, `text` and `created_at`. */

export const commentText = Type.String({ minLength: 1, maxLength: 4_000 });
export const commentMembers = {
  id: Type.String(),
  createdBy: Type.String(),
  createdByType: Type.String({ description: 'user, client or agent' }),
  text: Type.String(),
  createdAt: time,
};

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

/** Returns the parameters and the response members of a new comment by the actor. Errors: 403 without an author. */
export function writtenBy({ actor, team, now: at }: Scope, text: string) {
  if (actor.type === 'system') throw problems.forbidden('A comment needs an author. Sign in and try again.');
  const id = randomUUIDv7();
  const { id: by, type: byType } = actor;
  return {
    row: { team, id, by, byType, text, at } satisfies CommentParams,
    comment: { id, createdBy: by, createdByType: byType, text, createdAt: at.toISOString() },
  };
}
