import { isBehindBarrier } from '#access';
import { lockTreesShared, refuseInClosedMatter } from '#folders';
import { writtenBy } from '../../../platform/comments.ts';
import type { ListPage } from '../../../platform/database/json-page.ts';
import { lockSeen } from '../../../platform/database/lock-tracking.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { record } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { AccessContext, ReadScope, Scope } from '../../../platform/scope.ts';
import { readable, type AccessibleDocument } from '../access.ts';
import { documentCommentDeleted, documentCommented } from '../events.ts';
import { refuseUnderHold } from '../holds/index.ts';
import { findVersion, keepDocument } from '../queries.ts';
import * as queries from './queries.ts';
import type { Comment, CommentBody } from './schemas.ts';

/** The comments on a document, oldest first. Errors: 404. */
export async function listComments(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const { document } = await readable(scope, id);
  return scope.db.first(queries.listComments, { team: scope.team, id: document.id, ...page });
}

/** Returns a document on which the actor may comment. Errors: 403, 404. */
async function commentable(scope: AccessContext, id: string): Promise<AccessibleDocument> {
  const found = await readable(scope, id);
  if (found.access.can('comment')) return found;
  throw problems.forbidden('You may read this document but not comment on it, because your role or your emergency access is read-only.');
}

/**
 * Adds a comment to a document or to one of its versions. All users who may read the document can read it. Errors: 403, 404, also for an unknown
 * version, 409 `matter_closed`.
 */
export async function addComment(scope: Scope, id: string, { text, version }: CommentBody): Promise<Comment> {
  const { row, comment } = writtenBy(scope, text);
  const of = { team: scope.team, id: pathId(id, 'document') };
  const found = await lockSeen(scope.db, keepDocument, of, () => commentable(scope, of.id));
  if (version !== undefined && !(await scope.db.first(findVersion, { team: scope.team, document: of.id, number: version })))
    throw notFound('version');
  refuseInClosedMatter(scope, found.document.folder_id);
  scope.db.send(queries.insertComment, { ...row, document: of.id, version: version ?? null });
  const about = version === undefined ? {} : { version };
  await record(scope, documentCommented, of.id, { ...eventData(found, comment.id), ...about }, isBehindBarrier(found.document.barrier_id));
  return { ...comment, documentId: of.id, ...about };
}

/** Deletes a comment of the actor. Errors: 403 for a comment of another author, 404, 409 `legal_hold_active`, `matter_closed`. */
export async function deleteComment(scope: Scope, id: string, commentId: string): Promise<void> {
  await readable(scope, id);
  // The lock of the trees prevents new holds on their content.
  lockTreesShared(scope);
  const found = await commentable(scope, id);
  const { document } = found;
  const one = { team: scope.team, id: pathId(commentId, 'comment') };
  const kept = await scope.db.first(queries.findComment, { ...one, document: document.id });
  if (!kept) throw notFound('comment');
  if (!('id' in scope.actor) || kept.user_id !== scope.actor.id) throw problems.forbidden('Only its author can delete a comment.');
  await refuseUnderHold(scope, document.id);
  refuseInClosedMatter(scope, document.folder_id);
  if (!(await scope.db.first(queries.deleteComment, one))) throw notFound('comment');
  const about = kept.version === null ? {} : { version: kept.version };
  await record(
    scope,
    documentCommentDeleted,
    document.id,
    { ...eventData(found, kept.id), ...about },
    isBehindBarrier(document.barrier_id),
  );
}

const eventData = ({ document, access }: AccessibleDocument, commentId: string) => ({
  title: document.title,
  commentId,
  ...access.byRole('comment'),
});
