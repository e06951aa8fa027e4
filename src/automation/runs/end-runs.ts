import { enqueue } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { leaveChannel } from './in-flight-jobs.ts';
import { runJob } from './run-job.ts';
import { cancelRuns } from './run-queries.ts';

export type Ending = {
  run?: string;
  job?: string;
  agent?: string | undefined;
  person?: string;
  workflow?: string;
  step?: string;
  reason: string;
};

/**
 * One run, or those of a job, of a workflow or a step of it, of an agent, for a person, or of all the team are to end. Whoever has one in hand is told, and ends it; one
 * that waits is in nobody’s hands, and is ended by a job.
 */
export async function endRuns(scope: Scope, { run, job, agent, person, workflow, step, reason }: Ending): Promise<void> {
  const { db, team } = scope;
  const of = {
    team,
    run: run ?? null,
    job: job ?? null,
    agent: agent ?? null,
    person: person ?? null,
    workflow: workflow ?? null,
    step: step ?? null,
    reason,
  };
  for (const { id, in_hand: inHand } of await db.all(cancelRuns, of))
    if (inHand) db.notify(leaveChannel, id);
    else enqueue({ db, team }, runJob, { run: id });
}
