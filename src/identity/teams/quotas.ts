import { recordAudit } from '../../platform/journal/record.ts';
import type { QuotaName } from '../../platform/limits/quotas.ts';
import { dropQuotas, setQuotas } from '../../platform/limits/quota-queries.ts';
import { type QuotaUse, usageOf } from '../../platform/limits/usage.ts';
import type { Scope } from '../../platform/scope.ts';
import { quotasChanged } from './events.ts';

/** Limits by quota; `null` restores the default of the settings. */
export type QuotaChanges = Partial<Record<QuotaName, number | null>>;

/** Sets the quotas of a team for staff. The team’s journal records the change with the reason. */
export async function changeQuotas(scope: Scope, changes: QuotaChanges, reason: string): Promise<QuotaUse[]> {
  const given = Object.entries(changes).filter(([, limit]) => limit !== undefined);
  const set = given.filter((change): change is [string, number] => change[1] !== null);
  const dropped = given.filter(([, limit]) => limit === null).map(([name]) => name);
  scope.db.send(setQuotas, { team: scope.team, names: set.map(([name]) => name), limits: set.map(([, limit]) => limit) });
  scope.db.send(dropQuotas, { team: scope.team, names: dropped });
  await recordAudit(scope, quotasChanged, scope.team, {
    quotas: Object.fromEntries(given.map(([name, limit]) => [name, limit ?? 'default'])),
    reason,
  });
  return usageOf(scope.db, scope.team, scope.now, 0);
}
