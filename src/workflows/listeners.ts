import { documentVersionAdded, lostByMember } from '#documents';
import { cancelTasks, lockWorkflowsOf, openTasksOfStep, taskCompleted, taskRejected } from '#tasks';
import { memberRemoved } from '#teams';
import type { EventListener } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { advance } from './advance.ts';
import type { EndedBy } from './announce.ts';
import { endStep } from './ending.ts';
import { documentHasNewVersion } from './new-version.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import { reject } from './reject.ts';

/**
 * What a task's end means for its workflow, in the transaction that ended it; what a new version of a document means for
 * those who decide on it; and what a member leaves behind.
 */
export const workflowListener: EventListener = async (scope, event) => {
  switch (event.type) {
    case memberRemoved.type: {
      const { successorId } = event.data.data as { successorId: string };
      const from = String(event.data.userId);
      await scope.db.all(lockWorkflowsOf, { team: scope.team, user: from });
      await scope.db.all(queries.handOverWorkflows, { team: scope.team, from, to: successorId, lost: lostByMember(event), at: scope.now });
      return;
    }
    case documentVersionAdded.type: {
      const { version, sha256 } = event.data.data as { version: number; sha256: string };
      await documentHasNewVersion(scope, String(event.data.documentId), { version, sha256 });
      return;
    }
    case taskCompleted.type:
    case taskRejected.type:
      await taskEnded(scope, event.data.data as TaskEnd, event.type === taskRejected.type ? 'rejected' : 'completed');
  }
};

type TaskEnd = EndedBy & { workflowId?: string; stepId?: string; outcome?: string };

/** The caller holds the workflow's lock: whoever ends one of its tasks has taken it. */
async function taskEnded(scope: Scope, end: TaskEnd, how: 'completed' | 'rejected'): Promise<void> {
  const { workflowId, stepId, outcome = 'completed' } = end;
  if (workflowId === undefined || stepId === undefined) return;
  const [row, left] = await Promise.all([
    scope.db.first(queries.findWorkflow, { team: scope.team, id: workflowId }),
    scope.db.first(openTasksOfStep, { team: scope.team, workflow: workflowId, step: stepId }),
  ]);
  const step = row?.steps.find(({ id }) => id === stepId);
  if (!row || step?.status !== 'active') return;
  if (row.status === 'paused')
    throw workflowProblems.workflow_paused('The workflow of this task is paused. Resume it, then complete the task.');
  if (row.status !== 'active') return;
  const others = (left?.open ?? 0) > 0;
  if (how === 'rejected') {
    if (others) await cancelTasks(scope, row.id, { steps: [step.id] });
    await reject(scope, row, step, outcome, end);
    return;
  }
  if (step.mode === 'all' && others) return;
  if (others) await cancelTasks(scope, row.id, { steps: [step.id] });
  await Promise.all([endStep(scope, row, step, { status: 'completed', outcome, by: end }), advance(scope, row, [step.id])]);
}
