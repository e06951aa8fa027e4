import { type Static, Type } from 'typebox';
import { defineJob, defineTeamJob, enqueue, type JobResult, type TeamDependencies, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ModelConfig } from './config.ts';
import { lockJob } from './queries.ts';
import * as queries from './run-queries.ts';

/** The dependencies of the use cases of runs, besides the scope. */
export type Runs = {
  /** The maximum number of concurrent runs of one team. */
  atOnce: number;
  /** The configured model, if any. */
  model?: ModelConfig | undefined;
};

const data = Type.Object({ run: Type.String() });

/** Executes the remaining work of a run. */
export type Perform = (team: string, run: string, signal: AbortSignal) => Promise<JobResult>;

/** Concurrent runs of a node. Runs mostly wait for a model, so even fifty teams with hanging models do not delay other teams. */
const ofNode = 256;

/** A failed attempt is retried soon. The fifth failure ends the run, about as fast as the detection of a dead node. */
const backoff = { first: 2, factor: 2, most: 15 };

/**
 * Executes a run that has a slot, or announces a skipped run. The row of the run has its result, which a failed attempt of this job does not change.
 */
export const runJob = defineJob(
  'agent-run',
  data,
  { retries: 1_000, backoff, timeout: 3_700, concurrency: ofNode, counted: false },
  async (perform: Perform, { run }: Static<typeof data>, { team, signal }: JobAttempt): Promise<JobResult> =>
    team === undefined ? undefined : perform(team, run, signal),
);

/** Gives free slots to waiting runs, for callers that do not know the number of slots. */
export const placesJob = defineTeamJob(
  'agent-run-places',
  Type.Object({}),
  { counted: false },
  (inTeam, _data, { atOnce }: TeamDependencies & { atOnce: number }) => inTeam(({ db, team }) => claimRunSlots(db, [team], atOnce)),
);

/** Gives the free slots of these teams to waiting runs, and enqueues the jobs that execute them. */
export async function claimRunSlots(db: Transaction, teams: readonly string[], most: number): Promise<void> {
  if (teams.length === 0) return;
  const given = await db.locked(queries.lockPlaces, { teams }, () => db.all(queries.assignRunSlots, { teams, most }));
  for (const { team_id: team, id: run } of given) enqueue({ db, team }, runJob, { run });
}

/** Locks a run, after the lock of its job. */
export function lockRun({ db, team }: Scope, job: string | null, id: string) {
  const run = () => db.first(queries.lockRun, { team, id });
  return job === null ? run() : db.locked(lockJob, { team, id: job }, run);
}
