import { randomUUIDv7 } from 'node:crypto';
import type { ListPage } from '../../platform/database/json-page.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { workflowCommented } from '../events.ts';
import { findRow, holdSeen } from '../lookup.ts';
import * as queries from './queries.ts';
import type { Comment, NewComment } from './schemas.ts';

/** What happened to a workflow, the newest first: for whoever sees it. Errors: 404. */
export async function readHistory(
  scope: ReadScope,
  id: string,
  page: { before: string | null; beforeId: string | null; limit: number },
): Promise<ListPage | undefined> {
  const row = await findRow(scope, id);
  return scope.db.first(queries.workflowHistory, {
    team: scope.team,
    workflow: row.id,
    withheld: row.withheld ?? false,
    outside: row.outside ?? false,
    ...page,
  });
}

/** The comments on a workflow and its steps, oldest first. Errors: 404, 403 from outside of a wall. */
export async function listComments(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<ListPage | undefined> {
  const row = await findRow(scope, id);
  if (row.withheld)
    throw problems.forbidden(
      'A wall stands around the document: what is said on the workflow is for those inside, and for those who have to do with it.',
    );
  return scope.db.first(queries.listComments, { team: scope.team, workflow: row.id, ...page });
}

/** Says something on a workflow, or on one of its steps, to whoever sees it. Errors: 404, 400 for a step that it has not, 403 from outside of a wall and through its broken glass. */
export async function addComment(scope: Scope, workflow: string, { text, stepId }: NewComment): Promise<Comment> {
  if (scope.actor.type === 'system') throw problems.forbidden('A comment needs somebody who writes it.');
  const { team, actor, now } = scope;
  // Whoever deletes the workflow holds its lock: there is one to say something on until this is committed.
  const row = await holdSeen(scope, workflow);
  if (row.withheld || row.glass_only)
    throw problems.forbidden(
      'A wall stands around the document, and you are outside, or inside through broken glass: what is said on the workflow is said by those inside, and by those who have to do with it.',
    );
  if (stepId !== undefined && !row.steps.some((step) => step.id === stepId))
    throw problems.validation_failed(`The workflow has no step “${stepId}”; read it for the ids of its steps.`, {
      errors: [{ name: 'stepId', pointer: '/stepId', reason: 'is no step of this workflow', rule: 'step' }],
    });
  const id = randomUUIDv7();
  const { id: by, type: byType } = actor;
  scope.db.send(queries.insertComment, { team, id, workflow: row.id, step: stepId ?? null, by, byType, text, at: now });
  await recordAct(scope, workflowCommented, row.id, { commentId: id, ...(stepId === undefined ? {} : { stepId }) });
  const about = stepId === undefined ? {} : { stepId };
  return { id, workflowId: row.id, ...about, createdBy: by, createdByType: byType, text, createdAt: now.toISOString() };
}
