import { randomUUIDv7 } from 'node:crypto';
import { fieldsNamed } from '#fields';
import { createTasks, type NewTask } from '#tasks';
import { activeMember, ownerOfTeam } from '#teams';
import { endOfWorkingDay, type WorkingTime } from '#working-time';
import type { Scope } from '../../platform/scope.ts';
import { asksRound } from './approval-config.ts';
import { conditionOf } from './conditions.ts';
import { documentOfStep } from './documents.ts';
import { escalationOf } from './escalation.ts';
import type * as queries from './queries.ts';
import { workingDaysOf } from './step-config.ts';

const dayMs = 86_400_000;

/** Returns the assignees of a step: its people, or the default assignee. A vacant step has one more task, without an assignee. */
export function peopleOf({ assignees, groups, vacant }: queries.StepRow, fallback: string | null): (string | null)[] {
  if (vacant) return [...assignees, null];
  return assignees.length + groups.length > 0 ? assignees : [fallback];
}

/** Returns the due date of the tasks of a step that begins now. Later changes to the working time of the team do not move it. */
export function dueOf(step: queries.StepRow, now: Date, time: WorkingTime | undefined): Date | null {
  const days = workingDaysOf(step.config);
  // Without enough working days, calendar days count.
  if (days !== undefined) return (time && endOfWorkingDay(time, now, days)) ?? new Date(now.getTime() + days * dayMs);
  return step.due_in_days === null ? null : new Date(now.getTime() + step.due_in_days * dayMs);
}

export function taskFor(
  row: queries.WorkflowRow,
  step: queries.StepRow,
  person: string | null,
  due: Date | null,
  time?: WorkingTime,
): NewTask {
  return {
    id: randomUUIDv7(),
    title: step.name ?? `${row.name}: ${step.id}`,
    description: step.description,
    type: step.type,
    assigned_to: person,
    created_by: row.created_by,
    created_by_type: row.created_by_type,
    workflow_id: row.id,
    step_id: step.id,
    document_id: (documentOfStep(row, step) ?? row).document_id,
    owner_id: row.owner_id,
    due_at: due === null ? null : due.toISOString(),
    config: step.config,
    escalation: escalationOf(step.config, due, time),
    ...(step.vacant && person === null ? { vacant: true } : {}),
  };
}

/** The outcome of a step whose condition needs a missing answer. */
export const conditionInputMissing = 'condition_input_missing';

const whoFailed: Readonly<Record<string, string>> = {
  agent: 'An agent',
  webhook: 'The receiver of a webhook',
  signature: 'A signature request',
  document: 'The service',
  record: 'The service',
};

/**
 * Creates the task that asks how to continue after the failure of an automatic step. The task goes to the owner of the workflow if this person is
 * owner or administrator of the team. Otherwise it goes to the owner of the team.
 */
export async function askAboutFailed(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, why: string): Promise<void> {
  const { db, team, now } = scope;
  const owner = row.created_by_type === 'user' ? await db.first(activeMember, { team, id: row.owner_id }) : undefined;
  const runs = owner?.role === 'owner' || owner?.role === 'admin';
  const person = runs ? row.owner_id : ((await db.first(ownerOfTeam, { team }))?.id ?? null);
  const task = taskFor(row, step, person, dueOf(step, now, undefined));
  await createTasks(scope, [{ ...task, ...aboutFailed(step, why), config: {}, escalation: [] }], undefined, {
    barred: row.barred,
    someStandIn: row.some_stand_in,
    about: row.about_document_id,
  });
}

/** Returns the type and description of the task about a failed step. */
function aboutFailed(step: queries.StepRow, why: string): { type: string; description: string } {
  if (why === conditionInputMissing) {
    const condition = conditionOf(step);
    const fields = [...(condition ? fieldsNamed(condition) : [])].slice(0, 20).join(', ');
    return {
      type: 'failed_condition',
      description: `The condition of this step needs an answer that is missing. It uses: ${fields}. \`retry\` evaluates it again, \`begin\` begins the step, \`skip\` skips it, \`cancel\` cancels the workflow.`,
    };
  }
  if (asksRound(step))
    return {
      type: 'failed_approval',
      description: `The approval round of this step did not begin, or it expired: ${why}. \`retry\` begins another round, \`cancel\` cancels the workflow.`,
    };
  const who = whoFailed[step.type] ?? 'A program';
  const reason = step.detail === null ? '' : ` Reason: ${step.detail}`;
  const skip = step.type === 'signature' ? '' : ' `skip` continues without it,';
  return {
    type: step.type === 'signature' ? 'failed_signature' : 'failed_step',
    description: `${who} did not complete this step: ${why}.${reason} \`retry\` starts it again,${skip} \`cancel\` cancels the workflow.`,
  };
}
