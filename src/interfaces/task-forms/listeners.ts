import { taskAssigned, taskCreated } from '#tasks';
import { formOfStep, formsOfWorkflow, workflowCreated, workflowProblems } from '#workflows';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { editableInterface } from '../access.ts';
import { mailTaskForm } from './jobs.ts';
import * as queries from './queries.ts';

type OfTask = { type?: string; workflowId?: string; stepId?: string };

/** Has whoever is given a task mailed the link to its form, where its step names one. */
async function tell(scope: Scope, task: string, { type, workflowId: workflow, stepId: step }: OfTask): Promise<void> {
  if (type !== 'form' || workflow === undefined || step === undefined) return;
  if (await scope.db.first(formOfStep, { team: scope.team, workflow, step })) mailTaskForm(scope, task);
}

/** To put a form into a workflow is to give it to others: for those who may edit it, and so have its links. Errors: 422 `workflow_steps_invalid`. */
async function requireForms(scope: Scope, workflow: string): Promise<void> {
  for (const { position, interface_id: id } of await scope.db.all(formsOfWorkflow, { team: scope.team, workflow })) {
    try {
      await editableInterface(scope, id);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const pointer = `/steps/${position}/config/interfaceId`;
      throw workflowProblems.workflow_steps_invalid(`${pointer} names no interface that you may edit.`, {
        errors: [{ name: 'interfaceId', pointer, reason: 'names no interface that you may edit', rule: 'interface' }],
      });
    }
  }
}

export const taskFormListeners: readonly EventListener[] = [
  on(workflowCreated, (scope, { targetId }) => requireForms(scope, targetId)),
  on(taskCreated, (scope, { targetId, data }) => tell(scope, targetId, data)),
  on(taskAssigned, async (scope, { targetId: task, data }) => {
    if (data.type !== 'form') return;
    // What was given to another leads nowhere; they get a link of their own.
    scope.db.send(queries.endLinkOfTask, { team: scope.team, task, at: scope.now });
    await tell(scope, task, data);
  }),
];
