import { agentDeleted, agentsStopped, agentStopped, agentUpdated, usableAgent } from '#agents';
import { submissionErased } from '#forms';
import { memberRemoved, memberRoleChanged, memberSuspended } from '#teams';
import { on } from '../../platform/journal/listeners.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { approvalListener, roundListeners } from './approvals/index.ts';
import { disableJob } from './disable.ts';
import { jobDeleted, runErased } from './events.ts';
import { stepListeners } from './workflow-steps/index.ts';
import { dropSteps, runsThatRead } from './subject-queries.ts';
import { answersForJobs, contentErased } from './policy.ts';
import * as queries from './queries.ts';
import { endRuns } from './end-runs.ts';
import { handOverRuns } from './run-queries.ts';
import { endWithoutRights } from './revoked-runs.ts';

/**
 * Disables the jobs of a person who left the team or lost the right to change jobs, until an administrator takes them over. Ends the runs of these jobs,
 * and all runs of a person who left (`leaver`). One statement locks all of them in the order of their ids.
 */
async function endJobsFor(scope: Scope, user: string, leaver?: { person: string }): Promise<void> {
  const { db, team } = scope;
  const jobs = (await db.all(queries.lockJobsOfPerson, { team, user })).map(({ id }) => id);
  for (const id of jobs) await disableJob(scope, id, 'owner_inactive');
  await endRuns(scope, { jobs, ...leaver, reason: 'owner_inactive' });
}

/** Ends runs: the node that executes a run is notified and ends it, and a waiting run does not start. */
const stopRuns = (scope: Scope, agent: string | undefined) => endRuns(scope, { agent, reason: 'agent_stopped' });

/** Deletes the transcripts of runs that have read an erased submission. A run in progress ends first. */
async function eraseTextsOf(scope: Scope, submission: string): Promise<void> {
  const { db, team } = scope;
  for (const { id: run, over } of await db.all(runsThatRead, { team, submission })) {
    if (!over) await endRuns(scope, { run, reason: contentErased });
    else if ((await db.first(dropSteps, { team, run })) !== undefined) await recordAudit(scope, runErased, run, {});
  }
}

export const runListeners = [
  approvalListener,
  ...roundListeners,
  ...stepListeners,
  on(memberRemoved, async (scope, { targetId: person, data: { successorId } }) => {
    await endJobsFor(scope, person, { person });
    await endWithoutRights(scope, { person });
    scope.db.send(handOverRuns, { team: scope.team, from: person, to: successorId });
  }),
  on(memberRoleChanged, async (scope, { targetId, data }) => {
    if (!answersForJobs(data.to)) await endJobsFor(scope, targetId);
    await endWithoutRights(scope, { person: targetId });
  }),
  on(memberSuspended, (scope, { targetId: person }) => endWithoutRights(scope, { person })),
  on(agentStopped, (scope, { targetId }) => stopRuns(scope, targetId)),
  on(agentUpdated, async (scope, { targetId: agent, data }) => {
    await endWithoutRights(scope, { agent });
    if (!data.members.includes('enabled')) return;
    const { enabled } = await usableAgent({ ...scope, actor: { type: 'system' } }, agent);
    if (!enabled) await endRuns(scope, { agent, reason: 'agent_disabled' });
  }),
  on(agentsStopped, (scope) => stopRuns(scope, undefined)),
  on(submissionErased, (scope, { targetId }) => eraseTextsOf(scope, targetId)),
  on(agentDeleted, async (scope, { targetId: agent }) => {
    const { db, team } = scope;
    const lockedJobs = await db.all(queries.lockJobsOfAgent, { team, agent });
    await endRuns(scope, { agent, reason: 'agent_deleted' });
    for (const { id, name, agent_id: agentId } of lockedJobs) {
      db.send(queries.deleteJob, { team, id });
      await record(scope, jobDeleted, id, { name, agentId });
    }
  }),
];
