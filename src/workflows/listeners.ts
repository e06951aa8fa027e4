import { cancelTasks, lockWorkflowsOf, openTasksOfStep, taskCompleted, taskRejected } from '#tasks';
import { memberRemoved } from '#teams';
import type { EventListener } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance, completeStep, reject } from './advance.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';

/** What a task's end means for its workflow, in the transaction that ended it; and what a member leaves behind. */
export const workflowListener: EventListener = async (scope, event) => {
  if (event.type === memberRemoved.type) {
    const { successorId } = event.data.data as { successorId: string };
    const from = String(event.data.userId);
    await scope.db.all(lockWorkflowsOf, { team: scope.team, user: from });
    await scope.db.all(queries.handOverWorkflows, { team: scope.team, from, to: successorId, at: scope.now });
    return;
  }
  if (event.type !== taskCompleted.type && event.type !== taskRejected.type) return;
  const { workflowId, stepId, outcome } = event.data.data as { workflowId?: string; stepId?: string; outcome?: string };
  if (workflowId === undefined || stepId === undefined) return;
  await stepTaskEnded(scope, workflowId, stepId, outcome ?? 'completed', event.type === taskRejected.type ? 'rejected' : 'completed');
};

async function stepTaskEnded(
  scope: Scope,
  workflowId: string,
  stepId: string,
  outcome: string,
  how: 'completed' | 'rejected',
): Promise<void> {
  const [row, left] = await Promise.all([
    scope.db.first(queries.findWorkflow, { team: scope.team, id: workflowId }),
    scope.db.first(openTasksOfStep, { team: scope.team, workflow: workflowId, step: stepId }),
  ]);
  const step = row?.steps.find(({ id }) => id === stepId);
  if (!row || step?.status !== 'active') return;
  if (row.status === 'paused')
    throw workflowProblems.workflow_paused('The workflow of this task is paused. Resume it, then complete the task.');
  if (row.status !== 'active') return;
  if (how === 'rejected') {
    await Promise.all([
      scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: [step.id], at: scope.now }),
      reject(scope, row, step, outcome),
    ]);
    return;
  }
  if (step.mode === 'all' && (left?.open ?? 0) > 0) return;
  const writes: Promise<unknown>[] = [];
  if ((left?.open ?? 0) > 0)
    writes.push(scope.db.all(cancelTasks, { team: scope.team, workflow: row.id, steps: [step.id], at: scope.now }));
  completeStep(scope, row, step, outcome, writes);
  writes.push(advance(scope, row, [step.id]));
  await Promise.all(writes);
}
