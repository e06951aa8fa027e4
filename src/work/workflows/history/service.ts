import { randomUUIDv7 } from 'node:crypto';
import { emergencyAccessReads } from '#tasks';
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
  return scope.db.first(queries.listComments, { team: scope.team, workflow: row.id, ...page });
}

/**
 * Adds a comment to a workflow or one of its steps. Everyone who may see the workflow can read it. Errors: 404, 400 for an unknown step, 403 with
 * emergency access.
 */
export async function addComment(scope: Scope, workflow: string, { text, stepId }: NewComment): Promise<Comment> {
  if (scope.actor.type === 'system') throw problems.forbidden('A comment needs an author. Sign in and try again.');
  const { team, actor, now } = scope;
  // A deletion of the workflow takes the same lock, so the workflow exists until this commits.
  const row = await lockVisibleWorkflow(scope, workflow);
  if (row.emergency) throw emergencyAccessReads();
  if (stepId !== undefined && !row.steps.some((step) => step.id === stepId))
    throw problems.validation_failed(`The workflow has no step “${stepId}”. Read the workflow for the ids of its steps.`, {
      errors: [{ name: 'stepId', pointer: '/stepId', reason: 'is not a step of this workflow', rule: 'step' }],
    });
  const id = randomUUIDv7();
  const { id: by, type: byType } = actor;
  scope.db.send(queries.insertComment, { team, id, workflow: row.id, step: stepId ?? null, by, byType, text, at: now });
  await recordAudit(scope, workflowCommented, row.id, { commentId: id, ...(stepId === undefined ? {} : { stepId }) });
  const about = stepId === undefined ? {} : { stepId };
  return { id, workflowId: row.id, ...about, createdBy: by, createdByType: byType, text, createdAt: now.toISOString() };
}
