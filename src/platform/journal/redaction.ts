import type { AuditAction } from './audit-actions.ts';
import type { Changes } from './changes.ts';

/** Replaces a required text of a resource with a barrier. */
export const textBehindBarrier = '(behind a barrier)';

/** Built-in outcomes of tasks and steps. All other outcomes are named by users, so they count as texts. */
export const knownOutcomes: readonly string[] = [
  'acknowledged',
  'announced',
  'approved',
  'begin',
  'cancel',
  'cancelled',
  'changes_requested',
  'completed',
  'declined',
  'denied',
  'expired',
  'happened',
  'not_happened',
  'notified',
  'rejected',
  'retry',
  'signed',
  'signed_elsewhere',
  'skip',
  'skipped',
  'submitted',
  'voided',
  'waited',
];

/** Members whose old and new values are recorded despite a barrier: states, identifiers and times. */
const plain = new Set(['status', 'assignedTo', 'documentId', 'dueDate']);

/**
 * Returns the recorded data of an action on a resource with a barrier: identifiers, but no text that users wrote. So the journal, webhook payloads
 * and mails need no barrier checks, although their readers may not be members of the barrier. A required text is replaced by a fixed one, other texts
 * are omitted, and changes keep only the member names.
 */
export function withoutTexts<T extends object>({ data: shape, texts }: Pick<AuditAction, 'data' | 'texts'>, data: T): T {
  const required: readonly string[] = shape.required ?? [];
  const kept = Object.entries(data).flatMap(([member, value]) => {
    if (member === 'changes') return [[member, plainChanges(value as Changes)]];
    if (!texts.includes(member) || (member === 'outcome' && knownOutcomes.includes(String(value)))) return [[member, value]];
    return required.includes(member) ? [[member, textBehindBarrier]] : [];
  });
  return Object.fromEntries(kept) as T;
}

function plainChanges(changes: Changes): Changes {
  return Object.fromEntries(Object.entries(changes).map(([member, change]) => [member, plain.has(member) ? change : {}]));
}
