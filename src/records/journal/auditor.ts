import type { ReadScope } from '../../platform/scope.ts';

/** The auditor who reads, whose seat limits the journal; null for others. */
export const auditorOf = ({ actor }: Pick<ReadScope, 'actor'>): string | null =>
  actor.type === 'user' && actor.role === 'auditor' ? actor.id : null;

/** Returns an SQL condition: the reader is not an auditor (`$auditor` is null), or their seat opens the entry. */
export const isOpenTo = (entry: string) => `($auditor::uuid IS NULL OR (
     EXISTS (SELECT FROM seat_period($team, $auditor) p WHERE ${entry}.at >= p.journal_from AND ${entry}.at < p.journal_to)
     AND ${entry}.target_id IN (SELECT seat_targets($team, $auditor))))`;
