import { approvalDecided, approvalVoided } from '#approvals';
import { taskCompleted, taskProblems } from '#tasks';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { lockRun, placesJob } from '../run-job.ts';
import { decide } from './decide.ts';
import { askAgain, callOfRound, callOfTask, wakeRun } from './queries.ts';

const answers = { tool_approval: ['approved', 'denied'], tool_outcome: ['happened', 'not_happened'] } as const;

/** Applies the decision of a task to its waiting call, once. Throws 403 `own_request`, and 409 `task_not_open` or `call_in_progress`. */
export const approvalListener = on(taskCompleted, async (scope, { targetId: task, data }) => {
  if (data.type !== 'tool_approval' && data.type !== 'tool_outcome') return;
  const { db, team, actor } = scope;
  // A workflow step may have this task type too, without a call.
  const pending = await db.first(callOfTask, { team, task });
  if (!pending) return;
  if (actor.type !== 'user') throw new Error('only a user completes the approval task of an agent');
  // Every outcome other than a clear approval counts as a denial.
  const [yes, no] = answers[data.type];
  const outcome = data.outcome === yes ? yes : no;
  if (!(await decide(scope, pending, { outcome, by: actor.id }))) throw tooLate();
});

const tooLate = () =>
  taskProblems.task_not_open(
    'The call can no longer be approved: its run has ended or is about to end, or the time to answer has passed. Start a new run if you need the call.',
  );

/** Applies the result of an approval round to its waiting call. A voided round that an administrator restarts makes the run ask again. */
export const roundListeners: readonly EventListener[] = [
  on(approvalDecided, async (scope, { targetId: round, data }) => {
    const pending = data.subjectType === 'tool_call' ? await scope.db.first(callOfRound, { team: scope.team, round }) : undefined;
    if (!pending) return;
    const { status, decidedBy: by } = data;
    if (status === 'expired' || by === undefined) await decide(scope, pending, { outcome: 'expired' });
    else if (!(await decide(scope, pending, { outcome: status === 'approved' ? 'approved' : 'denied', by }))) throw tooLate();
  }),
  on(approvalVoided, async (scope, { targetId: round, data }) => {
    const { db, team } = scope;
    const pending = data.reason === 'restarted' ? await db.first(callOfRound, { team, round }) : undefined;
    if (!pending) return;
    const run = pending.run_id;
    await lockRun(scope, pending.job_id, run);
    if (!(await db.first(askAgain, { team, run, id: pending.id, round }))) return;
    if (await db.first(wakeRun, { team, run })) enqueue({ db, team }, placesJob, {});
  }),
];
