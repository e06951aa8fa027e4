import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { publishQuotas, countNodes, ownWriteLimits, spendBudgets } from './quota-queries.ts';
import { quotaNames, quotaOf, quotas } from './quotas.ts';
import type { LimitValues } from './settings.ts';
import { pipelined } from '../database/pipelined.ts';

/** Connections of this name are those of nodes that answer requests. */
export const answeringNode = 'chancery-listen-api';

const flushMs = 1_000;
const refreshMs = 10_000;
const periodSeconds = { second: 1, hour: 3_600, day: 86_400 };

/** Writes the quotas of the settings into the database, from where all nodes and the counting take them. */
export async function publishLimits(database: Database, limits: LimitValues): Promise<void> {
  await database.asSystem('publish the quotas', (tx) =>
    tx.all(publishQuotas, { names: quotaNames, limits: quotaNames.map((name) => quotas[name].most(limits)) }),
  );
}

type Options = {
  database: Database;
  log: Logger;
  /** Told which quota of a team is used up. */
  exceeded: (team: string, quota: string) => void;
  /** Told how many nodes share what a team may do a second, and which teams have a pace of their own. */
  refreshed: (state: { nodes: number; own: ReadonlyMap<string, number> }) => void;
};

/**
 * Brings what this node has counted over time to the database, once a second and for all teams together, so that it holds
 * over nodes and no request waits for it; and learns what others changed.
 */
export function keepBudgets({ database, log, exceeded, refreshed }: Options): { stop(): Promise<void> } {
  let working: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    const spent = database.takeSpent();
    if (spent.length === 0) return;
    const rows = await database.asSystem('count what comes over time', (tx) =>
      tx.all(spendBudgets, {
        teams: spent.map(({ team }) => team),
        names: spent.map(({ name }) => name),
        amounts: spent.map(({ amount }) => amount),
        seconds: spent.map(({ name }) => periodSeconds[quotaOf(name)?.period ?? 'hour']),
      }),
    );
    for (const row of rows) if (row.over) exceeded(row.team_id, row.name);
  }

  async function refresh(): Promise<void> {
    const { own, count } = await database.asSystem('look at the limits of teams', (tx) =>
      pipelined({
        own: () => tx.all(ownWriteLimits, {}),
        count: () => tx.first(countNodes, { name: answeringNode }),
      }),
    );
    refreshed({ nodes: Math.max(1, count?.nodes ?? 1), own: new Map(own.map((row) => [row.team_id, row.most])) });
  }

  const inTurn = (work: () => Promise<void>) => (): void => {
    working = working.then(work).catch((error: unknown) => log.warn({ err: error }, 'budgets of teams cannot be counted; trying again'));
  };
  const timers = [setInterval(inTurn(flush), flushMs), setInterval(inTurn(refresh), refreshMs)];
  inTurn(refresh)();
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      inTurn(flush)();
      await working;
    },
  };
}
