import { Type } from 'typebox';
import { agentStepOver, agentStepsOf } from '#workflows';
import { defineTeamJob } from '../../../platform/jobs/job.ts';
import type { Scope } from '../../../platform/scope.ts';
import { findRun, type RunRow } from '../run-queries.ts';
import { outcomeOf } from './outcome.ts';

/** Ends the step of a run that has ended. While the workflow is paused it does nothing; the resumed workflow enqueues it again. */
export const stepOverJob = defineTeamJob(
  'agent-step-over',
  Type.Object({ run: Type.String() }),
  { counted: false },
  (inTeam, { run: id }) =>
    inTeam(async (scope) => {
      const run = await scope.db.first(findRun, { team: scope.team, id });
      if (run) await endStepOf({ ...scope, requestId: `run-${id}` }, run);
    }),
);

async function endStepOf(scope: Scope, run: RunRow): Promise<void> {
  const { workflow_id: workflow, step_id: step, step_begun_at: begun } = run;
  if (workflow === null || step === null || begun === null) return;
  const about = (await agentStepsOf(scope, workflow)).find(({ id }) => id === step);
  const outcome = run.status === 'ok' ? outcomeOf(run.summary, about?.outcomes) : undefined;
  const failed = run.reason ?? (run.status === 'ok' ? 'outcome_missing' : run.status);
  await agentStepOver(scope, { workflow, step, begun }, outcome === undefined ? { failed } : { outcome });
}
