import { randomUUIDv7 } from 'node:crypto';
import { actorToday } from '#documents';
import { findTask, assigneeOfTask } from '#tasks';
import { formOfStep } from '#workflows';
import { newTeamToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { Problem, problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { interfaceToGive } from '../access.ts';
import { type Interfaces, linkPlace } from '../links.ts';
import { formLinkShown } from './events.ts';
import { taskFormProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { TaskLink } from './schemas.ts';

/**
 * Returns the form link of a task, only to its assignee. The link stays the same until the task ends or is reassigned. Throws 403, 404, 409
 * `task_has_no_form`, `form_not_available`.
 */
export async function linkForAssignee(interfaces: Interfaces, scope: Scope, taskId: string): Promise<TaskLink> {
  const task = await findTask(scope, taskId);
  if (scope.actor.type !== 'user' || task.assigned_to !== scope.actor.id)
    throw problems.forbidden('Only the assignee of the task can get the link. Ask the assignee, or reassign the task.');
  const link = task.status === 'open' ? await issueTaskLink(interfaces, scope, task.id) : 'none';
  if (link === 'none') throw taskFormProblems.task_has_no_form('The task is closed, or its step has no form.');
  if (link === 'not available')
    throw taskFormProblems.form_not_available(
      'The form is not published, or the creator of the workflow no longer has the right to share it. Ask them or an administrator.',
    );
  await recordAudit(scope, formLinkShown, task.id, { interfaceId: link.interfaceId });
  return link;
}

/** Returns the form link of an open task, and creates it if needed. Requires that the creator of the workflow can still share the form. */
export async function issueTaskLink(interfaces: Interfaces, scope: Scope, task: string): Promise<TaskLink | 'none' | 'not available'> {
  const { db, team } = scope;
  const assignment = await db.first(assigneeOfTask, { team, id: task });
  const form =
    assignment?.workflow_id && assignment.step_id
      ? await db.first(formOfStep, { team, workflow: assignment.workflow_id, step: assignment.step_id })
      : undefined;
  if (!assignment?.open || assignment.assigned_to === null || !form) return 'none';
  const interfaceId = await formToGive(scope, form);
  if (interfaceId === undefined) return 'not available';
  const person = assignment.assigned_to;
  const shown = (token: string) => ({ taskId: task, interfaceId, token, url: `${interfaces.baseUrl}/f/${token}` });
  const there = await db.first(queries.linkOfTask, { team, task });
  if (there?.person_id === person) return shown(openLink(interfaces, there));
  if (there) db.send(queries.endLinkOfTask, { team, task, at: scope.now });
  const [id, token] = [randomUUIDv7(), newTeamToken(team)];
  const sealed = interfaces.links.seal(token, linkPlace(id));
  const made = { team, task, id, interface: interfaceId, person, hash: tokenHash(token), sealed, at: scope.now };
  if (await db.first(queries.insertLinkOfTask, made)) return shown(token);
  // A concurrent request created the link.
  const other = await db.first(queries.linkOfTask, { team, task });
  if (!other) throw new Error(`the link of the task ${task} was deleted during its creation`);
  return shown(openLink(interfaces, other));
}

const openLink = ({ links }: Interfaces, { id, sealed }: { id: string; sealed: Buffer }) => links.open(sealed, linkPlace(id)).toString();

/** Returns the published form of a step if the creator of the workflow can still share it. */
async function formToGive(
  scope: Scope,
  { interface_id: id, creator }: { interface_id: string; creator: string | null },
): Promise<string | undefined> {
  if (!isUuid(id)) return undefined;
  const { db, team } = scope;
  const form = await db.first(queries.formOfTask, { team, id });
  const grantor = form?.published ? await actorToday(scope, creator ?? form.owner_id) : undefined;
  if (!grantor) return undefined;
  try {
    return (await interfaceToGive({ db, team, actor: grantor }, id)).row.id;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
