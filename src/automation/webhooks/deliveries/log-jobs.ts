import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../../platform/database/database.ts';
import { sqlState } from '../../../platform/database/errors.ts';
import * as queue from '../engine/queue-queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const dayMs = 86_400_000;
const daysAhead = 3;
const deliveredDays = 30;
const undeliveredDays = 90;
const eventBatchSize = 5_000;
const lockTries = 20;

/** Creates the partitions of the log for today and the next days, one transaction for each. */
export async function makeLogDays(database: Database, now: Date): Promise<void> {
  const days = await database.asSystem('find the days of the webhook log', (tx) => tx.all(queue.daysToMake, { now, ahead: daysAhead }));
  for (const { day } of days)
    await onceTheLogIsFree(() => database.asSystem('create a partition of the webhook log', (tx) => tx.all(queue.makeDay, { day })));
}

/**
 * Deletes old deliveries and their attempts from the log: successful ones after 30 days, failed and cancelled ones after 90, pending ones never.
 * Drops whole days, one transaction for each.
 */
export async function dropOldDeliveries(database: Database, now: Date): Promise<void> {
  await makeLogDays(database, now);
  const oldest = new Date(now.getTime() - undeliveredDays * dayMs);
  const older = new Date(now.getTime() - deliveredDays * dayMs);
  const { past, days } = await database.asSystem('find old days of the webhook log', (tx) =>
    pipelined({
      past: () => tx.all(queue.daysBefore, { before: oldest }),
      days: () => tx.all(queue.daysBefore, { before: older }),
    }),
  );
  const expired = new Set(past.map(({ day }) => day));
  for (const { day } of days) {
    const thin = { day, keepUndelivered: !expired.has(day) };
    await onceTheLogIsFree(() => database.asSystem('thin out a day of the webhook log', (tx) => tx.all(queue.thinDay, thin)));
  }
  for (;;) {
    const dropped = await database.asSystem('drop old events', async (tx) => {
      const old = await tx.all(queue.lockOldEvents, { before: oldest, limit: eventBatchSize });
      await tx.all(queue.dropLockedEvents, { teams: old.map((event) => event.team_id), ids: old.map((event) => event.id) });
      return old.length;
    });
    if (dropped < eventBatchSize) return;
  }
}

/** Runs a change of partitions. It fails if the log is in use (lock_timeout), and is retried later. */
async function onceTheLogIsFree(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await work();
      return;
    } catch (error) {
      const givenWay = ['55P03', '40P01'].includes(sqlState(error) ?? '');
      if (!givenWay || attempt === lockTries) throw error;
      await sleep(100 * attempt * (1 + Math.random()));
    }
  }
}
