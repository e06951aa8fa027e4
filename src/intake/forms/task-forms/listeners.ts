import { actorToday } from '#documents';
import { taskAssigned, taskCreated } from '#tasks';
import type { Field, MappingInputs } from '#fields';
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
import { inputsOf } from '../outputs/check.ts';
import { holdsScope } from '../policy.ts';
import type { ReachedInterface } from '../queries.ts';
import { mailTaskForm } from './jobs.ts';
import * as queries from './queries.ts';

type OfTask = { type?: string; workflowId?: string; stepId?: string };

/** Mails the form link to the assignee if the step of the task has a form. */
async function mailFormLink(scope: Scope, task: string, { type, workflowId: workflow, stepId: step }: OfTask): Promise<void> {
  if (type !== 'form' || workflow === undefined || step === undefined) return;
  if (await scope.db.first(formOfStep, { team: scope.team, workflow, step })) mailTaskForm(scope, task);
}

/**
 * Checks the forms in the steps. A workflow shares the link of its form, so this requires the right to edit the form. Throws 422
 * `workflow_steps_invalid`.
 */
async function requireForms(scope: Scope, workflow: string): Promise<void> {
  for (const { position, interface_id: id } of await scope.db.all(formsOfWorkflow, { team: scope.team, workflow })) {
    try {
      await interfaceToGive(scope, id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const pointer = `/steps/${position}/config/interfaceId`;
      throw workflowProblems.workflow_steps_invalid(`${pointer} is not a form that you can edit.`, {
        errors: [{ name: 'interfaceId', pointer, reason: 'is not a form that you can edit', rule: 'interface' }],
      });
    }
  }
}

/**
 * Checks the forms in the steps and the conditions on their answers. A condition reveals answers, so it requires the right to read
 * submissions. Throws 422 `workflow_steps_invalid`.
 */
async function requireSteps(scope: Scope, workflow: string, corrected?: readonly string[]): Promise<void> {
  await requireForms(scope, workflow);
  const forms = {
    fieldsOf: (form: string) => fieldsToGoBy(scope, form),
    inputsOf: (submission: string) => inputsToGoBy(scope, submission),
  };
  await checkFormConditions(scope, workflow, forms, corrected);
}

/**
 * Checks the conditions at the start of a workflow with the current rights of its creator. If the creator left the team, uses the
 * rights of the caller. Throws 422 `workflow_steps_invalid`.
 */
async function requireConditions(scope: Scope, workflow: string): Promise<void> {
  const asCreator = async (creator: string | undefined): Promise<Scope> => {
    const actor = (creator === undefined ? undefined : await actorToday(scope, creator)) ?? scope.actor;
    return { ...scope, actor };
  };
  await checkFormConditions(scope, workflow, {
    fieldsOf: async (form, creator) => fieldsToGoBy(await asCreator(creator), form),
    inputsOf: async (submission, creator) => inputsToGoBy(await asCreator(creator), submission),
  });
}

/** Returns the form if the actor can read its submissions. */
async function formToGoBy(scope: Scope, id: string): Promise<ReachedInterface | undefined> {
  try {
    const { row, access } = await readableInterface(scope, id);
    return access.can('view_submissions') && holdsScope(scope.actor, 'interfaces:read') ? row : undefined;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

/**
 * Returns the fields of the form: published, or of the draft before the first publication. Returns `undefined` if the actor cannot read its
 * submissions.
 */
async function fieldsToGoBy(scope: Scope, id: string): Promise<readonly Field[] | undefined> {
  const row = await formToGoBy(scope, id);
  return row && ((await scope.db.first(queries.publishedFields, { team: scope.team, id: row.id }))?.fields ?? row.draft.fields);
}

/** Returns the names of the form of a submission: none if the actor cannot read it. Returns `undefined` if the submission is gone. */
async function inputsToGoBy(scope: Scope, submission: string): Promise<MappingInputs | undefined> {
  const found = await scope.db.first(queries.formOfSubmission, { team: scope.team, id: submission });
  if (!found) return undefined;
  const isReadable = (await formToGoBy(scope, found.interface_id)) !== undefined;
  return inputsOf(isReadable ? found.definition : { fields: [], publicSettings: {} });
}

export const taskFormListeners: readonly EventListener[] = [
  on(workflowCreated, (scope, { targetId }) => requireSteps(scope, targetId)),
  on(workflowUpdated, async (scope, { targetId, data }) => {
    if (data.stepsReplaced === true) await requireSteps(scope, targetId, data.correctedSteps);
  }),
  on(workflowStarted, (scope, { targetId }) => requireConditions(scope, targetId)),
  on(taskCreated, (scope, { targetId, data }) => mailFormLink(scope, targetId, data)),
  on(taskAssigned, async (scope, { targetId: task, data }) => {
    if (data.type !== 'form') return;
    // The link of the previous assignee stops working. The new assignee gets a separate link.
    scope.db.send(queries.endLinkOfTask, { team: scope.team, task, at: scope.now });
    await mailFormLink(scope, task, data);
  }),
];
