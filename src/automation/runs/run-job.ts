import { type Static, Type } from 'typebox';
import { defineJob, defineTeamJob, enqueue, type JobResult, type TeamDeps, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/scope.ts';
import type { ModelConfig } from './config.ts';
import { lockJob } from './queries.ts';
import * as queries from './run-queries.ts';

/** What the use cases of runs work with besides the scope. */
export type Runs = {
  /** Runs of one team under way at once. */
  atOnce: number;
  /** The model that agents ask, where there is one. */
  model?: ModelConfig | undefined;
};

const data = Type.Object({ run: Type.String() });

/** Carries out what a run of a team has still to do. */
export type Perform = (team: string, run: string, signal: AbortSignal) => Promise<JobResult>;

/**
 * Runs mostly wait for a model. A node has so many at once that some fifty teams whose models hang, each with all its places, hold up
 * nobody else.
 */
const ofNode = 256;

/**
 * A run whose attempt failed goes on soon: with the fifth it ends, which takes no longer than that a node has died.
 */
const backoff = { first: 2, factor: 2, most: 15 };

/** A run that has its place, or one that was skipped and is to be announced. What it comes to stands in its row: a try that fails says nothing of it. */
export const runJob = defineJob(
  'agent-run',
  data,
  { retries: 1_000, backoff, timeout: 3_700, concurrency: ofNode, counted: false },
  async (perform: Perform, { run }: Static<typeof data>, { team, signal }: JobAttempt): Promise<JobResult> =>
    team === undefined ? undefined : perform(team, run, signal),
);

/** Gives places where whoever has something go on does not know how many there are. */
export const placesJob = defineTeamJob(
  'agent-run-places',
  Type.Object({}),
  { counted: false },
  (inTeam, _data, { atOnce }: TeamDeps & { atOnce: number }) => inTeam(({ db, team }) => takePlaces(db, [team], atOnce)),
);

/** Gives the free places of these teams to runs that wait, and has those carried out. */
export async function takePlaces(db: Transaction, teams: readonly string[], most: number): Promise<void> {
  if (teams.length === 0) return;
  const given = await db.locked(queries.lockPlaces, { teams }, () => db.all(queries.givePlaces, { teams, most }));
  for (const { team_id: team, id: run } of given) enqueue({ db, team }, runJob, { run });
}

/** A run under its lock, and that of its job before. */
export function lockRun({ db, team }: Scope, job: string | null, id: string) {
  const run = () => db.first(queries.lockRun, { team, id });
  return job === null ? run() : db.locked(lockJob, { team, id: job }, run);
}
