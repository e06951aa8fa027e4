import { randomUUIDv7 } from 'node:crypto';
import { mayAutomate } from '#accounts';
import { type AgentRow, usableAgent } from '#agents';
import { actorToday } from '#documents';
import {
  type AgentStep,
  agentStepsOf,
  stepActivated,
  stepFailed,
  workflowCancelled,
  workflowPaused,
  workflowRejected,
  workflowResumed,
  workflowStarted,
} from '#workflows';
import { enqueue } from '../../../platform/jobs/job.ts';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { Problem } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { endRuns } from '../end-runs.ts';
import { leaveChannel } from '../in-flight-jobs.ts';
import { runProblems } from '../problems.ts';
import { placesJob } from '../run-job.ts';
import * as queries from '../run-queries.ts';
import { storeSubjects } from '../subject-queries.ts';
import { messageFor } from './outcome.ts';
import { stepOverJob } from './over.ts';

/** Returns the agent of a step if the creator of the workflow may use the agent. */
async function agentOf({ db, team }: Scope, { agentId, creator }: AgentStep): Promise<{ agent: AgentRow; person: string } | undefined> {
  const actor = creator === undefined ? undefined : await actorToday({ db, team }, creator);
  if (actor?.type !== 'user' || !mayAutomate(actor.role)) return undefined;
  try {
    return { agent: await usableAgent({ db, team, actor }, agentId), person: actor.id };
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return undefined;
    throw error;
  }
}

/** Checks that the agents of a workflow can perform their steps. Throws 422 `agent_not_usable`. */
async function requireAgents(scope: Scope, workflow: string): Promise<void> {
  for (const step of await agentStepsOf(scope, workflow)) {
    if (await agentOf(scope, step)) continue;
    throw runProblems.agent_not_usable(
      `The agent of the step ${JSON.stringify(step.id)} does not exist, or the workflow’s creator cannot use it. A workflow that a client created cannot have agent steps: a person must be responsible.`,
    );
  }
}

/** Starts the run of a step, and ends a run of an earlier activation of the step. */
async function beginStep(scope: Scope, workflow: string, stepId: string): Promise<void> {
  const { db, team, now } = scope;
  await endRuns(scope, { workflow, step: stepId, reason: 'step_restarted' });
  const step = (await agentStepsOf(scope, workflow)).find(({ id }) => id === stepId);
  if (!step) return;
  const found = await agentOf(scope, step);
  const run = {
    team,
    id: randomUUIDv7(),
    workflow,
    step: stepId,
    begun: now,
    // Content behind a barrier goes to no model and into no transcript.
    message: step.barred ? '' : messageFor(step),
    depth: 1 + (await depthOf(scope)),
    cancel: step.barred ? 'document_barred' : found ? null : 'agent_not_usable',
    at: now,
  };
  // Without a usable agent the run ends before its start, with that reason.
  const agent = found?.agent.id ?? run.id;
  db.send(queries.insertOfStep, { ...run, agent, onBehalfOf: found?.person ?? step.creator ?? run.id });
  // The instruction names the workflow and its document, so these are subjects of the run.
  if (!step.barred) db.send(storeSubjects, { team, run: run.id, ids: [workflow] });
  enqueue({ db, team }, placesJob, {});
}

/** Returns the depth of the run that performs the current action; 0 outside of runs. */
async function depthOf({ db, team, recordedAs, requestId }: Scope): Promise<number> {
  const id = recordedAs?.type === 'agent' ? /^run-(.+)$/.exec(requestId)?.[1] : undefined;
  const run = id === undefined ? undefined : await db.first(queries.findRun, { team, id });
  return run?.depth ?? 0;
}

const ends: EventListener[] = [workflowCancelled, workflowRejected].map((event) =>
  on(event, (scope, { targetId: workflow }) => endRuns(scope, { workflow, reason: 'workflow_over' })),
);

const holds: EventListener[] = [[workflowPaused, queries.pauseRuns] as const, [workflowResumed, queries.releaseRuns] as const].map(
  ([event, change]) =>
    on(event, async ({ db, team }, { targetId: workflow }) => {
      const changed = await db.all(change, { team, workflow });
      if (event === workflowPaused) for (const { id } of changed) db.notify(leaveChannel, id);
      if (changed.length > 0) enqueue({ db, team }, placesJob, {});
      // Runs that ended during the pause end their steps now.
      if (event === workflowResumed)
        for (const { id: run } of await db.all(queries.endedOfSteps, { team, workflow })) enqueue({ db, team }, stepOverJob, { run });
    }),
);

export const stepListeners: readonly EventListener[] = [
  on(workflowStarted, (scope, { targetId }) => requireAgents(scope, targetId)),
  on(stepActivated, async (scope, { targetId, data }) => {
    if (data.type === 'agent') await beginStep(scope, targetId, data.stepId);
  }),
  on(stepFailed, async (scope, { targetId: workflow, data: { type, stepId: step } }) => {
    if (type === 'agent') await endRuns(scope, { workflow, step, reason: 'step_over' });
  }),
  ...ends,
  ...holds,
];
