import { randomUUIDv7 } from 'node:crypto';
import type { Transaction } from '../database/database.ts';
import { beginPeriodic, recordSchedules, schedules } from './queries.ts';

/** A schedule with five fields, in UTC. */
type Cron = { nextRun(after: Date): Date | null };

/** Returns a function that starts due periodic jobs. If several nodes find a job due, one records the start and adds the job. */
export function createPeriodic(crons: ReadonlyMap<string, string>, now: () => Date): (tx: Transaction) => Promise<void> {
  const next = new Map<string, { after: string; at: number }>();
  let compiled: Promise<Map<string, Cron>> | undefined;

  /** Returns the due time of a job that last started at `after`. */
  function dueAt(name: string, cron: Cron, after: string): number {
    const known = next.get(name);
    if (known?.after === after) return known.at;
    const at = cron.nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
    next.set(name, { after, at });
    return at;
  }

  return async (tx) => {
    if (crons.size === 0) return;
    const known = await (compiled ??= compile(crons));
    const rows = new Map((await tx.all(schedules, {})).map((row) => [row.name, row.begun_at]));
    const at = now();
    const unknown = [...known.keys()].filter((name) => !rows.has(name));
    if (unknown.length > 0) await tx.all(recordSchedules, { names: unknown, at });
    for (const [name, cron] of known) {
      const begun = rows.get(name);
      // A missed run is done once.
      if (begun !== undefined && dueAt(name, cron, begun) <= at.getTime())
        tx.send(beginPeriodic, { name, known: begun, at, id: randomUUIDv7() });
    }
  };
}

/** Compiles a cron expression. The library is loaded on demand, so that it does not delay the start of the server. */
async function compile(crons: ReadonlyMap<string, string>): Promise<Map<string, Cron>> {
  const { Cron: parse } = await import('croner');
  return new Map([...crons].map(([name, cron]) => [name, new parse(cron, { timezone: 'UTC', mode: '5-part' })]));
}
