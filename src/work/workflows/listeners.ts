import { groupDeleted } from '#access';
import { documentVersionAdded } from '#documents';
import { cancelTasks, lockWorkflowsOf, openTasksOfStep, taskCompleted, taskRejected } from '#tasks';
import { memberRemoved } from '#teams';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import type { Scope } from '../../platform/scope.ts';
import { agentDeleted } from '#agents';
import { advance } from './advance.ts';
import { approvalListeners } from './approval-ends.ts';
import { endpointDeleted } from '#webhooks';
import { enqueue } from '../../platform/jobs/job.ts';
import { endpointGoneJob } from './endpoint-gone-jobs.ts';
import { decideOnFailed } from './failed-steps.ts';
import { dropGroup } from './group-queries.ts';
import type { EndedBy } from './event-data.ts';
import { endStep } from './ending.ts';
import { documentHasNewVersion } from './new-version.ts';
import { workflowProblems } from './problems.ts';
import * as leaver from './leaver-queries.ts';
import * as stepQueries from './step-queries.ts';
import * as queries from './queries.ts';
import { reject } from './reject.ts';
import { signatureListeners } from './signature-ends.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * The end of a task advances its workflow in the same transaction. A new version of a document restarts decisions on it. The workflows of a member
 * who leaves go to other members.
 */
export const workflowListeners: readonly EventListener[] = [
  on(memberRemoved, async (scope, { targetId: from, data }) => {
    const { team, now: at } = scope;
    await scope.db.all(lockWorkflowsOf, { team, user: from });
    await scope.db.all(leaver.handOverWorkflows, { team, from, to: data.successorId, at });
    scope.db.send(leaver.handOverDocuments, { team, from, to: data.successorId });
    scope.db.send(leaver.transferTemplates, { team, from, to: data.successorId });
    scope.db.send(leaver.endDateTemplates, { team, from });
  }),
  // The listener of tasks has locked the workflows.
  on(groupDeleted, async (scope, { targetId: group }) => {
    scope.db.send(dropGroup, { team: scope.team, group });
  }),
  on(agentDeleted, async (scope, { targetId: agent }) => {
    const [used] = await scope.db.all(stepQueries.liveStepsOfAgent, { team: scope.team, agent });
    if (used)
      throw workflowProblems.agent_in_use(
        'A workflow in progress has a step for this agent. Wait until the workflow has ended, cancel it, or set another agent in the step.',
      );
  }),
  on(endpointDeleted, async ({ db, team }, { targetId: endpoint }) => {
    const [asking] = await db.all(stepQueries.askingEndpoint, { team, endpoint });
    // In a separate job, because workflows are locked before endpoints.
    if (asking) enqueue({ db, team }, endpointGoneJob, { endpoint });
  }),
  on(documentVersionAdded, async (scope, { targetId, data }) => {
    // A version sealed by the service has the content that was decided on.
    if (data.signatureId === undefined) await documentHasNewVersion(scope, targetId, data);
  }),
  ...signatureListeners,
  ...approvalListeners,
  on(taskCompleted, (scope, { data }) => taskEnded(scope, data, 'completed')),
  on(taskRejected, (scope, { data }) => taskEnded(scope, data, 'rejected')),
];

type TaskEnd = EndedBy & { workflowId?: string; stepId?: string; roundId?: string; outcome?: string };

/** Advances the workflow of an ended task. The caller must have locked the workflow. */
async function taskEnded(scope: Scope, end: TaskEnd, how: 'completed' | 'rejected'): Promise<void> {
  const { workflowId, stepId, outcome = 'completed' } = end;
  if (workflowId === undefined || stepId === undefined) return;
  const { row, left } = await pipelined({
    row: () => scope.db.first(queries.findWorkflow, { team: scope.team, id: workflowId }),
    left: () => scope.db.first(openTasksOfStep, { team: scope.team, workflow: workflowId, step: stepId }),
  });
  const step = row?.steps.find(({ id }) => id === stepId);
  if (!row || (step?.status !== 'active' && step?.status !== 'failed')) return;
  if (row.status === 'paused')
    throw workflowProblems.workflow_paused('The workflow of this task is paused. Resume it, then complete the task.');
  // A vote ends its step with its round.
  if (row.status !== 'active' || end.roundId !== undefined) return;
  if (step.status === 'failed') return decideOnFailed(scope, row, step, { outcome, by: end });
  const others = (left?.open ?? 0) > 0;
  if (how === 'rejected') {
    if (others) await cancelTasks(scope, row.id, { steps: [step.id] });
    await reject(scope, row, step, outcome, end);
    return;
  }
  if (step.mode === 'all' && others) return;
  if (others) await cancelTasks(scope, row.id, { steps: [step.id] });
  await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome, by: end }), () => advance(scope, row, [step.id])]);
}
