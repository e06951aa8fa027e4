import { randomUUIDv7 } from 'node:crypto';
import type { Logger } from 'pino';
import { boundedCache } from '../../platform/bounded-cache.ts';
import type { Database } from '../../platform/database/database.ts';
import type { EventListener } from '../../platform/journal/listeners.ts';
import { record } from '../../platform/journal/record.ts';
import { claimQuotaNotice } from '../../platform/limits/quota-queries.ts';
import { usageOf } from '../../platform/limits/usage.ts';
import { quotaExceeded } from './events.ts';

type QuotaNoticeOptions = { database: Database; listeners: readonly EventListener[]; log: Logger; clock: () => Date };

const onceInMs = 3_600_000;

/**
 * Returns a function that reports an exceeded quota to the team by an event and a journal entry.
 * It reports each quota at most once an hour over all nodes, in the background.
 */
export function notifyExceededQuotas({ database, listeners, log, clock }: QuotaNoticeOptions): {
  notify(team: string, quota: string): void;
} {
  const notified = boundedCache<true>(10_000, { ttl: onceInMs });

  async function notify(team: string, quota: string): Promise<void> {
    await database.inTeam(team, async (db) => {
      if (!(await db.first(claimQuotaNotice, { team, name: quota }))) return;
      const now = clock();
      const use = (await usageOf(db, team, now, 0)).find(({ name }) => name === quota);
      if (!use) return;
      const scope = { db, team, actor: { type: 'system' as const }, now, requestId: randomUUIDv7(), listeners };
      await record(scope, quotaExceeded, quota, { name: quota, used: use.used, limit: use.limit });
    });
  }

  return {
    notify(team, quota) {
      const key = `${team} ${quota}`;
      if (notified.has(key)) return;
      notified.set(key, true);
      notify(team, quota).catch((error: unknown) => {
        notified.delete(key);
        log.warn({ err: error, team, quota }, 'failed to notify a team of an exceeded quota');
      });
    },
  };
}
