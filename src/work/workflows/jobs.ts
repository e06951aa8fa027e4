import { overdueTasks, taskDigests, taskEscalations, taskReminders } from '#tasks';
import { type DueJobDependencies, type DueWork, doDueWork } from '../../platform/jobs/due-jobs.ts';
import { record } from '../../platform/journal/record.ts';
import { advance } from './advance.ts';
import { workflowEventData } from './event-data.ts';
import { endStep } from './ending.ts';
import { recordStepFailure } from './step-failure.ts';
import { timerFailed, workflowOverdue } from './events.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import * as timerQueries from './timer-queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/**
 * Runs the timers of workflows: ends waits, announces overdue workflows and tasks once, and sends reminders, escalations and daily mails. If one part
 * fails, the others still run.
 */
export async function runWorkflowTimers(deps: DueJobDependencies, now: Date): Promise<void> {
  const begun = performance.now();
  // Each pass also handles the results of the previous ones: a task that was just announced as overdue gets its reminder.
  const later = () => new Date(now.getTime() + performance.now() - begun);
  await doDueWork(deps, waits, later());
  await doDueWork(deps, overdueWorkflows, later());
  await doDueWork(deps, overdueTasks, later());
  await doDueWork(deps, taskReminders, later());
  await doDueWork(deps, taskEscalations, later());
  await doDueWork(deps, taskDigests, later());
}

/** Ends waiting steps at their time: a wait completes, and an agent or webhook step fails as timed out. Skips ended steps and paused workflows. */
const waits: DueWork<timerQueries.DueWait> = {
  job: 'workflow-wait',
  due: timerQueries.dueWaits,
  async run(scope, { workflow_id: id, step_id: stepId }) {
    const row = await loadWorkflowForUpdate(scope, id);
    const step = row?.steps.find((one) => one.id === stepId);
    if (row?.status !== 'active' || step?.status !== 'active' || step.wake_at === null) return;
    if (Date.parse(step.wake_at) > scope.now.getTime()) return;
    if (step.type !== 'wait') return recordStepFailure(scope, row, step, 'timed_out');
    await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome: 'waited' }), () => advance(scope, row, [step.id])]);
  },
  setAside: { act: timerFailed, target: ({ workflow_id: id }) => id },
};

const overdueWorkflows: DueWork = {
  job: 'workflow-overdue',
  due: timerQueries.dueWorkflows,
  async run(scope, { id }) {
    const row = await scope.db.first(timerQueries.markOverdueEmitted, { team: scope.team, id, now: scope.now });
    if (row) await record(scope, workflowOverdue, row.id, workflowEventData(scope, row), row.barred);
  },
  setAside: { act: timerFailed, target: ({ id }) => id },
};
