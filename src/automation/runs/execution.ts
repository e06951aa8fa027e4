import { mayAutomate } from '#accounts';
import { mayRun, usableAgent } from '#agents';
import { activeMember } from '#teams';
import { pipelined } from '../../platform/database/pipelined.ts';
import { enqueue, inTeamAs, rejectedBy, type TeamDependencies } from '../../platform/jobs/job.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { approvalsOver, lockOpenTasks } from './approvals/index.ts';
import { deliverLater } from './delivery/index.ts';
import { disableJob } from './disable.ts';
import { endRuns } from './end-runs.ts';
import { jobDeleted, runFinished } from './events.ts';
import { type InFlightRuns, leaveChannel } from './in-flight-jobs.ts';
import { answersForJobs, contentErased, isOfTheJob, maxAttempts, maxDepth, maxFailures } from './policy.ts';
import * as jobs from './queries.ts';
import { lockRun, type Perform, type Runs, claimRunSlots } from './run-job.ts';
import * as queries from './run-queries.ts';
import { addRunEvent } from './stream/index.ts';
import { dropSteps } from './subject-queries.ts';
import { stepOverJob } from './workflow-steps/index.ts';

/** The result of a run, with the code of the reason. */
export type End = { status: jobs.EndedStatus; reason: string | null };

/** The work of a run between its start and its end. Returns undefined if the run waits for a person. Rejects when the signal is aborted. */
export type Work = (team: string, run: queries.RunRow, signal: AbortSignal) => Promise<End | undefined>;

export type Execution = TeamDependencies & {
  runs: Runs;
  work: Work;
  inFlight: Pick<InFlightRuns, 'watch'>;
};

/**
 * Creates the function that executes runs. Each call starts a new attempt with its own number. Writes of an older
 * attempt fail.
 */
export function performer(deps: Execution): Perform {
  const { clock, runs, work, inFlight } = deps;
  return async (team, id, signal) => {
    const inTeam = inTeamAs('agent-run', team, deps);
    const begun = await inTeam((scope) => beginRun(runs, scope, id));
    if (!begun) return undefined;
    const cancelled = new AbortController();
    let lost = false;
    const leave = inFlight.watch({ team, id, attempt: begun.attempts }, (isLost) => {
      lost = isLost;
      cancelled.abort(new Error('the run must end'));
    });
    let end: End | undefined;
    try {
      end = await Promise.race([work(team, begun, AbortSignal.any([signal, cancelled.signal])), rejectedBy(cancelled.signal)]);
    } catch (error) {
      if (!cancelled.signal.aborted) throw error;
      if (!lost) end = { status: 'cancelled', reason: null };
    } finally {
      leave();
    }
    const ended = end;
    const wasItsOwn = ended ? await inTeam((scope) => finishRun(runs, scope, begun, ended)) : !lost;
    // Another attempt owns the run, or the run waits. The job stays for that attempt, in case its node dies.
    return wasItsOwn ? undefined : { later: clock() };
  };
}

/**
 * Starts a run, or continues it after a node failure. Returns undefined if the run has ended, is paused or waits for a person. If the run may not
 * continue, ends it and returns undefined.
 */
export async function beginRun(runs: Runs, scope: Scope, id: string): Promise<queries.RunRow | undefined> {
  const { db, team, now } = scope;
  const { about } = await pipelined({ about: () => db.first(queries.jobOfRun, { team, id }), locked: () => lockOpenTasks(scope, id) });
  if (!about) return undefined;
  const run = await lockRun(scope, about.job_id, id);
  if (!run) return undefined;
  if (run.finished_at !== null) {
    const said = await db.first(queries.markEndEmitted, { team, id });
    if (said) await announce(scope, said);
    return undefined;
  }
  if (run.paused && run.cancel_reason === null) return undefined;
  const end = run.depth > maxDepth ? ({ status: 'error', reason: 'agent_depth_exceeded' } as const) : await whyNot(scope, run);
  if (end) {
    await finishRun(runs, scope, run, end);
    return undefined;
  }
  // The run continues after the decision of the person.
  if (run.status === 'awaiting_approval' || run.status === 'needs_attention') return undefined;
  const begun = await db.first(queries.beginRun, { team, id, at: now, iso: now.toISOString() });
  if (begun) addRunEvent(scope, id, run.status === 'running' ? 'step.restarted' : 'run.started', { attempt: begun.attempts });
  // The node of the previous attempt may be slow instead of dead: notify it to stop.
  if (run.status === 'running') db.notify(leaveChannel, id);
  return begun;
}

/** Returns the reason why a run may not start or continue, or undefined. */
async function whyNot(scope: Scope, run: queries.RunRow & { cancel_reason: string | null }): Promise<End | undefined> {
  if (run.cancel_reason !== null) return { status: 'cancelled', reason: run.cancel_reason };
  const { db, team } = scope;
  if ((await db.first(queries.teamIsActive, { team }))?.active !== true) return { status: 'cancelled', reason: 'team_inactive' };
  // An automatic run that has not started is skipped.
  const status = run.attempts === 0 && run.requested_by === null ? 'skipped' : 'cancelled';
  const agent = await usableAgent(scope, run.agent_id);
  if (!mayRun(agent)) return { status, reason: agent.enabled ? 'agent_stopped' : 'agent_disabled' };
  const owner = await db.first(activeMember, { team, id: run.on_behalf_of });
  if (run.job_id === null) {
    if (owner === undefined || !mayAutomate(owner.role)) return { status, reason: 'owner_inactive' };
  } else if (!answersForJobs(owner?.role)) {
    const job = await db.first(jobs.findJob, { team, id: run.job_id });
    if (job?.on_behalf_of === run.on_behalf_of) await disableJob(scope, job.id, 'owner_inactive');
    return { status, reason: 'owner_inactive' };
  }
  // The number of attempts that ended with their node; a run that is still `running` has just lost one more.
  const died = run.interruptions.length + Number(run.status === 'running');
  return died >= maxAttempts ? { status: 'error', reason: 'interrupted' } : undefined;
}

/**
 * Ends a run in its current attempt. Updates the last result of its job, disables the job after consecutive failures or deletes it, and then gives
 * free slots to waiting runs. Returns false and writes nothing if another attempt owns the run or the run has ended.
 */
export async function finishRun(
  { atOnce }: Runs,
  scope: Scope,
  run: Pick<queries.RunRow, 'id' | 'job_id' | 'attempts'>,
  end: End,
): Promise<boolean> {
  const { db, team, now } = scope;
  const { id, job_id: job, attempts: attempt } = run;
  // Lock order: the tasks of a run before the run.
  await approvalsOver(scope, id);
  const lockedRun = await lockRun(scope, job, id);
  // A cancellation that came too late is not the reason of a completed run. A cancelled run without a recorded reason belongs to a suspended team.
  const cancelled = lockedRun?.cancel_reason ?? (end.status === 'cancelled' ? 'team_inactive' : null);
  const reason = end.reason ?? (end.status === 'ok' ? null : cancelled);
  const ended = await db.first(queries.endRun, { team, id, attempt, status: end.status, reason, at: now });
  if (!ended) return false;
  if (reason === contentErased) await db.all(dropSteps, { team, run: id });
  addRunEvent(scope, id, 'run.finished', { status: end.status, ...(reason === null ? {} : { reason }) });
  await announce(scope, ended);
  if (ended.workflow_id !== null) enqueue({ db, team }, stepOverJob, { run: id });
  if (ended.delivery_status !== null && job !== null) await deliverLater(scope, job, id);
  if (job !== null) await recordForJob(scope, job, { ...ended, status: end.status }, reason);
  await claimRunSlots(db, [team], atOnce);
  return true;
}

/** Updates the job of a run that ended. */
async function recordForJob(
  scope: Scope,
  job: string,
  ended: queries.RunRow & { duration_ms: number | null; status: jobs.EndedStatus },
  reason: string | null,
): Promise<void> {
  const { db, team } = scope;
  const failed = ended.status === 'error' && isOfTheJob(reason);
  const said = { status: ended.status, reason, begunAt: ended.started_at, durationMs: ended.duration_ms, failed };
  const updated = await db.first(queries.recordLastRun, { team, id: job, ...said });
  if (updated && failed && updated.consecutive_errors >= maxFailures) await disableJob(scope, job, 'consecutive_errors');
  if (updated?.delete_after_run && ended.status === 'ok') await deleteAfterRun(scope, job);
}

async function deleteAfterRun(scope: Scope, id: string): Promise<void> {
  const { db, team } = scope;
  const job = await db.first(jobs.findJob, { team, id });
  if (!job) return;
  await endRuns(scope, { jobs: [id], reason: 'job_deleted' });
  db.send(jobs.deleteJob, { team, id });
  await record(scope, jobDeleted, id, { name: job.name, agentId: job.agent_id });
}

async function announce(scope: Scope, run: queries.RunRow): Promise<void> {
  if (run.status === 'queued' || run.status === 'running' || run.status === 'awaiting_approval' || run.status === 'needs_attention') return;
  await record(scope, runFinished, run.id, {
    ...(run.job_id === null ? {} : { jobId: run.job_id }),
    ...(run.workflow_id === null || run.step_id === null ? {} : { workflowId: run.workflow_id, stepId: run.step_id }),
    agentId: run.agent_id,
    trigger: run.trigger,
    status: run.status,
    ...(run.reason === null ? {} : { reason: run.reason }),
    onBehalfOf: run.on_behalf_of,
    attempts: run.attempts,
  });
}
