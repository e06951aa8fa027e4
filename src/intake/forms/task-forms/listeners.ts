import { actorToday } from '#documents';
import { taskAssigned, taskCreated } from '#tasks';
import type { Field } from '#fields';
import {
  checkFormConditions,
  formOfStep,
  formsOfWorkflow,
  workflowCreated,
  workflowProblems,
  workflowStarted,
  workflowUpdated,
} from '#workflows';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { interfaceToGive, readableInterface } from '../access.ts';
import { holdsScope } from '../policy.ts';
import { mailTaskForm } from './jobs.ts';
import * as queries from './queries.ts';

type OfTask = { type?: string; workflowId?: string; stepId?: string };

/** Has whoever is given a task mailed the link to its form, where its step names one. */
async function mailFormLink(scope: Scope, task: string, { type, workflowId: workflow, stepId: step }: OfTask): Promise<void> {
  if (type !== 'form' || workflow === undefined || step === undefined) return;
  if (await scope.db.first(formOfStep, { team: scope.team, workflow, step })) mailTaskForm(scope, task);
}

/** To put a form into a workflow is to give it to others: for those who may edit it, and so have its links. Errors: 422 `workflow_steps_invalid`. */
async function requireForms(scope: Scope, workflow: string): Promise<void> {
  for (const { position, interface_id: id } of await scope.db.all(formsOfWorkflow, { team: scope.team, workflow })) {
    try {
      await interfaceToGive(scope, id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const pointer = `/steps/${position}/config/interfaceId`;
      throw workflowProblems.workflow_steps_invalid(`${pointer} names no interface that you may edit.`, {
        errors: [{ name: 'interfaceId', pointer, reason: 'names no interface that you may edit', rule: 'interface' }],
      });
    }
  }
}

/**
 * The forms of the steps, and what conditions ask of their answers: to go by answers is to learn of them, which is for those who may read
 * what is submitted. Errors: 422 `workflow_steps_invalid`.
 */
async function requireSteps(scope: Scope, workflow: string): Promise<void> {
  await requireForms(scope, workflow);
  await checkFormConditions(scope, workflow, (form) => fieldsToGoBy(scope, form));
}

/**
 * When a workflow is started, its conditions go by the right that whoever made it has then; once they have left, by that of who starts it.
 * Errors: 422 `workflow_steps_invalid`.
 */
async function requireConditions(scope: Scope, workflow: string): Promise<void> {
  await checkFormConditions(scope, workflow, async (form, creator) => {
    const actor = (creator === undefined ? undefined : await actorToday(scope, creator)) ?? scope.actor;
    return fieldsToGoBy({ ...scope, actor }, form);
  });
}

/** What a form asks for, as it is published or before that as its draft is; nothing where its answers may not be read. */
async function fieldsToGoBy(scope: Scope, id: string): Promise<readonly Field[] | undefined> {
  try {
    const { row, access } = await readableInterface(scope, id);
    if (!access.can('view_submissions') || !holdsScope(scope.actor, 'interfaces:read')) return undefined;
    return (await scope.db.first(queries.publishedFields, { team: scope.team, id: row.id }))?.fields ?? row.draft.fields;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

export const taskFormListeners: readonly EventListener[] = [
  on(workflowCreated, (scope, { targetId }) => requireSteps(scope, targetId)),
  on(workflowUpdated, async (scope, { targetId, data }) => {
    if (data.stepsReplaced === true) await requireSteps(scope, targetId);
  }),
  on(workflowStarted, (scope, { targetId }) => requireConditions(scope, targetId)),
  on(taskCreated, (scope, { targetId, data }) => mailFormLink(scope, targetId, data)),
  on(taskAssigned, async (scope, { targetId: task, data }) => {
    if (data.type !== 'form') return;
    // What was given to another leads nowhere; they get a link of their own.
    scope.db.send(queries.endLinkOfTask, { team: scope.team, task, at: scope.now });
    await mailFormLink(scope, task, data);
  }),
];
