import type { EscalationLevel } from '../insert-queries.ts';

/** Returns the escalation columns of a task; null without a due date. */
export function escalating(dueAt: string | null, levels: readonly EscalationLevel[]) {
  if (dueAt === null || levels.length === 0) return { escalation: null, escalate_at: null };
  const ordered = levels.toSorted((one, other) => one.after - other.after);
  return { escalation: ordered, escalate_at: timeOf(dueAt, ordered[0]) };
}

/** Returns the time at which a task reaches a level, or null if there is no such level. */
export function timeOf(dueAt: string, level: EscalationLevel | undefined): string | null {
  return level === undefined ? null : new Date(Date.parse(dueAt) + level.after).toISOString();
}
