import { enqueue } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { leaveChannel } from './in-flight-jobs.ts';
import { runJob } from './run-job.ts';
import { cancelRuns } from './run-queries.ts';

export type Ending = {
  run?: string;
  jobs?: readonly string[];
  agent?: string | undefined;
  person?: string;
  workflow?: string;
  step?: string;
  reason: string;
};

/**
 * Requests the end of one or several runs. The filter names a run, workflow, step, agent or team, or jobs and a person. The node that executes a run
 * is notified and ends it. A background job ends a run that waits.
 */
export async function endRuns(scope: Scope, { run, jobs, agent, person, workflow, step, reason }: Ending): Promise<void> {
  const { db, team } = scope;
  const of = {
    team,
    run: run ?? null,
    jobs: jobs ?? null,
    agent: agent ?? null,
    person: person ?? null,
    workflow: workflow ?? null,
    step: step ?? null,
    reason,
  };
  for (const { id, in_flight: inFlight } of await db.all(cancelRuns, of))
    if (inFlight) db.notify(leaveChannel, id);
    else enqueue({ db, team }, runJob, { run: id });
}
