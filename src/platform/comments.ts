import { randomUUIDv7 } from 'node:crypto';
import { Type } from 'typebox';
import type { CommentParams } from './comment-queries.ts';
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
