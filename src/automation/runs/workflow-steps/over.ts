import { Type } from 'typebox';
import { agentStepOver, agentStepsOf } from '#workflows';
import type { Database } from '../../../platform/database/database.ts';
import { defineJob, type JobResult } from '../../../platform/jobs/job.ts';
import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { findRun, type RunRow } from '../run-queries.ts';
import { outcomeOf } from './outcome.ts';

type Deps = { database: Database; listeners: readonly EventListener[]; clock: () => Date };

/** The run of a step is over: so is the step. While its workflow stands still nothing is done, and this is asked for again when it goes on. */
export const stepOverJob = defineJob(
  'agent-step-over',
  Type.Object({ run: Type.String() }),
  { counted: false },
  async ({ database, listeners, clock }: Deps, { run: id }, { team }): Promise<JobResult> => {
    if (team === undefined) return;
    await database.inTeam(team, async (db) => {
      const run = await db.first(findRun, { team, id });
      if (run) await endStepOf({ db, team, actor: { type: 'system' }, now: clock(), requestId: `run-${id}`, listeners }, run);
    });
  },
);

async function endStepOf(scope: Scope, run: RunRow): Promise<void> {
  const { workflow_id: workflow, step_id: step, step_begun_at: begun } = run;
  if (workflow === null || step === null || begun === null) return;
  const about = (await agentStepsOf(scope, workflow)).find(({ id }) => id === step);
  const outcome = run.status === 'ok' ? outcomeOf(run.summary, about?.outcomes) : undefined;
  const failed = run.reason ?? (run.status === 'ok' ? 'outcome_missing' : run.status);
  await agentStepOver(scope, { workflow, step, begun }, outcome === undefined ? { failed } : { outcome });
}
