import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { publishQuotas, countNodes, ownWriteLimits, spendBudgets } from './quota-queries.ts';
import { quotaNames, quotaOf, quotas } from './quotas.ts';
import type { LimitValues } from './settings.ts';
import { pipelined } from '../database/pipelined.ts';

/** The application name of a database connection. Each node that serves requests has one such connection. */
export const answeringNode = 'chancery-listen-api';

const flushMs = 1_000;
const refreshMs = 10_000;
const periodSeconds = { second: 1, hour: 3_600, day: 86_400 };

/** Writes the quotas of the settings to the database, where all nodes and the counting triggers read them. */
export async function publishLimits(database: Database, limits: LimitValues): Promise<void> {
  await database.asSystem('publish quotas', (tx) =>
    tx.all(publishQuotas, { names: quotaNames, limits: quotaNames.map((name) => quotas[name].most(limits)) }),
  );
}

type BudgetJobOptions = {
  database: Database;
  log: Logger;
  /** Called when a team exceeds a quota. */
  exceeded: (team: string, quota: string) => void;
  /** Called with the number of nodes that share the rate limit of a team, and the teams with a custom limit. */
  refreshed: (state: { nodes: number; own: ReadonlyMap<string, number> }) => void;
};

/**
 * Writes the usage that this node counted to the database, once a second for all teams together. So budgets apply across nodes, and no request waits
 * for this. Also reads the usage of other nodes.
 */
export function keepBudgets({ database, log, exceeded, refreshed }: BudgetJobOptions): { stop(): Promise<void> } {
  let working: Promise<void> = Promise.resolve();

  async function flush(): Promise<void> {
    const spent = database.takeSpent();
    if (spent.length === 0) return;
    const rows = await database.asSystem('count usage over time', (tx) =>
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
    const { own, count } = await database.asSystem('read the limits of teams', (tx) =>
      pipelined({
        own: () => tx.all(ownWriteLimits, {}),
        count: () => tx.first(countNodes, { name: answeringNode }),
      }),
    );
    refreshed({ nodes: Math.max(1, count?.nodes ?? 1), own: new Map(own.map((row) => [row.team_id, row.most])) });
  }

  const inTurn = (work: () => Promise<void>) => (): void => {
    working = working.then(work).catch((error: unknown) => log.warn({ err: error }, 'team budgets cannot be counted; retrying'));
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
