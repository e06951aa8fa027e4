import { Type, type Static } from 'typebox';
import type { Reader } from '../database/database.ts';
import { quotaNames, quotas, type Quota } from './quotas.ts';
import { mailsTaken, type UsageRow, usageOfTeam } from './quota-queries.ts';
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
    resetsAt: Type.Optional({ ...time, description: 'From when on something of it, or of deliveries all of it, is free again' }),
  },
  { additionalProperties: false, title: 'QuotaUse' },
);
export type QuotaUse = Static<typeof quotaUse>;

const hourMs = 3_600_000;

type Over = Partial<Record<string, { used: number; resetsAt?: string | null }>>;

/**
 * What a team has used of each of its quotas. The transaction or reader is confined to the team. `writes` is what this node
 * knows of the present pace.
 */
export async function usageOf(db: Pick<Reader, 'all' | 'first'>, team: string, now: Date, writes: number): Promise<QuotaUse[]> {
  const { rows, mails } = await pipelined({
    rows: () => db.all(usageOfTeam, { team }),
    mails: () => db.first(mailsTaken, {}),
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

/** What is counted by triggers, or how far ahead of an even pace a team is, as a number of what it has taken. */
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
