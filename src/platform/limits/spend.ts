import type { Transaction } from '../database/database.ts';
import { problems } from '../problems.ts';
import { burstSeconds, secondsAhead } from './quota-queries.ts';
import { quotas, type QuotaName } from './quotas.ts';

/**
 * Takes one of what a team may take over time, as it is counted over all nodes: five minutes' worth may be taken at once. Errors: 429
 * `rate_limited` where nothing is left for now.
 */
export async function spendOne(db: Pick<Transaction, 'first' | 'spend'>, team: string, name: QuotaName): Promise<void> {
  const ahead = await db.first(secondsAhead, { team, name });
  const wait = Math.ceil((ahead?.seconds ?? 0) - burstSeconds);
  if (wait > 0)
    throw problems.rate_limited(
      `The team has taken as many ${quotas[name].what} as it may for now (quota \`${name}\`). Wait ${wait} seconds; the operator of the service may raise the quota.`,
      { headers: { 'retry-after': String(wait) } },
    );
  db.spend(team, name, 1);
}
