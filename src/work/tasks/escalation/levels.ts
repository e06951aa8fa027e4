import type { EscalationLevel } from '../insert-queries.ts';

/** What a task keeps of its escalation; nothing where it is due at no time. */
export function escalating(dueAt: string | null, levels: readonly EscalationLevel[]) {
  if (dueAt === null || levels.length === 0) return { escalation: null, escalate_at: null };
  const ordered = levels.toSorted((one, other) => one.after - other.after);
  return { escalation: ordered, escalate_at: timeOf(dueAt, ordered[0]) };
}

/** When a level of a task is reached; nothing where there is none. */
export function timeOf(dueAt: string, level: EscalationLevel | undefined): string | null {
  return level === undefined ? null : new Date(Date.parse(dueAt) + level.after).toISOString();
}
