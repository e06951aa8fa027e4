import { Type, type Static } from 'typebox';
import type { Reader } from '../database/database.ts';
import { quotaNames, quotas, type Quota } from './quotas.ts';
import { mailQuotaUse, type UsageRow, usageOfTeam } from './quota-queries.ts';
import { pipelined } from '../database/pipelined.ts';
import { time } from '../schema-parts.ts';

export const quotaUse = Type.Object(
  {
    name: Type.String(),
    description: Type.String({ description: 'The counted resource' }),
    used: Type.Integer(),
    limit: Type.Integer(),
    unit: Type.String(),
    period: Type.Optional(Type.Enum(['second', 'hour', 'day'], { description: 'The period of the count, after which it restarts' })),
    resetsAt: Type.Optional({
      ...time,
      description: 'The time from which a part of the quota is available again; for deliveries, all of it',
    }),
  },
  { additionalProperties: false, title: 'QuotaUse' },
);
export type QuotaUse = Static<typeof quotaUse>;

const hourMs = 3_600_000;

type Over = Partial<Record<string, { used: number; resetsAt?: string | null }>>;

/**
 * Returns the usage of all quotas of a team. The transaction or reader must belong to the team. `writes` is the
 * current rate of changes on this node.
 */
export async function usageOf(db: Pick<Reader, 'all' | 'first'>, team: string, now: Date, writes: number): Promise<QuotaUse[]> {
  const { rows, mails } = await pipelined({
    rows: () => db.all(usageOfTeam, { team }),
    mails: () => db.first(mailQuotaUse, {}),
  });
  const overTime: Over = {
    mails: { used: mails?.in_day ?? 0, resetsAt: mails?.day_free_at ?? null },
    mailsToOneAddress: { used: mails?.to_one_in_hour ?? 0 },
    writes: { used: writes },
  };
  const of = new Map(rows.map((row) => [row.name, row]));
  return quotaNames.flatMap((name) => {
    const row = of.get(name);
    return row ? [presentUse(name, row, overTime[name] ?? paced(row, now))] : [];
  });
}

/** Returns the usage of a quota. For a rate budget, computes it from the time until the budget is free again. */
function paced(row: UsageRow, now: Date): { used: number; resetsAt?: string | null } {
  if (row.free_at === null) return { used: row.counted };
  const aheadMs = Date.parse(row.free_at) - now.getTime();
  return { used: Math.max(0, Math.ceil(((row.own ?? row.fallback) * aheadMs) / hourMs)), resetsAt: row.free_at };
}

function presentUse(name: keyof typeof quotas, row: UsageRow, { used, resetsAt }: { used: number; resetsAt?: string | null }): QuotaUse {
  const quota: Quota = quotas[name];
  return {
    name,
    description: quota.what,
    used,
    limit: row.own ?? row.fallback,
    unit: quota.unit,
    ...(quota.period === undefined ? {} : { period: quota.period }),
    ...(typeof resetsAt === 'string' ? { resetsAt } : {}),
  };
}
