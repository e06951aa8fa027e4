import { emergencyAccessReads } from '#tasks';
import { writtenBy } from '../../../platform/comments.ts';
import type { ListPage } from '../../../platform/database/json-page.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { workflowCommented } from '../events.ts';
import { findRow, lockVisibleWorkflow } from '../lookup.ts';
import * as queries from './queries.ts';
import type { Comment, NewComment } from './schemas.ts';

/** Returns the history of a workflow that the actor may see, the newest first. Errors: 404. */
export async function readHistory(
  scope: ReadScope,
  id: string,
  page: { before: string | null; beforeId: string | null; limit: number },
): Promise<ListPage | undefined> {
  const row = await findRow(scope, id);
  return scope.db.first(queries.workflowHistory, { team: scope.team, workflow: row.id, ...page });
}

/** The comments on a workflow and its steps, oldest first. Errors: 404. */
export async function listComments(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const row = await findRow(scope, id);
  return scope.db.first(queries.listComments, { team: scope.team, id: row.id, ...page });
}

/**
 * Adds a comment to a workflow or one of its steps. Everyone who may see the workflow can read it. Errors: 404, 400 for an unknown step, 403 with
 * emergency access.
 */
export async function addComment(scope: Scope, workflow: string, { text, stepId }: NewComment): Promise<Comment> {
  const { row: written, comment } = writtenBy(scope, text);
  // A deletion of the workflow takes the same lock, so the workflow exists until this commits.
  const row = await lockVisibleWorkflow(scope, workflow);
  if (row.emergency) throw emergencyAccessReads();
  if (stepId !== undefined && !row.steps.some((step) => step.id === stepId))
    throw problems.validation_failed(`The workflow has no step “${stepId}”. Read the workflow for the ids of its steps.`, {
      errors: [{ name: 'stepId', pointer: '/stepId', reason: 'is not a step of this workflow', rule: 'step' }],
    });
  scope.db.send(queries.insertComment, { ...written, workflow: row.id, step: stepId ?? null });
  const about = stepId === undefined ? {} : { stepId };
  await recordAudit(scope, workflowCommented, row.id, { commentId: comment.id, ...about });
  return { ...comment, workflowId: row.id, ...about };
}
