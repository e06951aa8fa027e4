import { type Static, Type } from 'typebox';
import { defineJob, enqueue, type JobResult, type JobAttempt } from '../../platform/jobs/job.ts';
import type { Database, Transaction } from '../../platform/database/database.ts';
import { givePlaces, lockPlaces } from './run-queries.ts';

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
export const placesJob = defineJob(
  'agent-run-places',
  Type.Object({}),
  { counted: false },
  async ({ database, atOnce }: { database: Database; atOnce: number }, _data, { team }): Promise<JobResult> => {
    if (team !== undefined) await database.inTeam(team, (db) => takePlaces(db, [team], atOnce));
  },
);

/** Gives the free places of these teams to runs that wait, and has those carried out. */
export async function takePlaces(db: Transaction, teams: readonly string[], most: number): Promise<void> {
  if (teams.length === 0) return;
  const given = await db.locked(lockPlaces, { teams }, () => db.all(givePlaces, { teams, most }));
  for (const { team_id: team, id: run } of given) enqueue({ db, team }, runJob, { run });
}
