import type { Transaction } from '../database/database.ts';
import { problems } from '../problems.ts';
import { burstSeconds, secondsAhead } from './quota-queries.ts';
import { quotas, type QuotaName } from './quotas.ts';

/**
 * Uses one unit of an hourly budget of a team, counted across all nodes; bursts of five minutes are allowed. Throws 429
 * `rate_limited` if the budget is used up.
 */
export async function spendOne(db: Pick<Transaction, 'first' | 'spend'>, team: string, name: QuotaName): Promise<void> {
  const ahead = await db.first(secondsAhead, { team, name });
  const wait = Math.ceil((ahead?.seconds ?? 0) - burstSeconds);
  if (wait > 0)
    throw problems.rate_limited(
      `Your team reached the limit for ${quotas[name].what} (quota \`${name}\`). Wait ${wait} seconds, or ask the operator of the service to raise the quota.`,
      { headers: { 'retry-after': String(wait) } },
    );
  db.spend(team, name, 1);
}
