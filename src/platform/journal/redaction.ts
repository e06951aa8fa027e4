import type { AuditAction } from './audit-actions.ts';
import type { Changes } from './changes.ts';

/** What stands where a text must be, and the thing stands behind a barrier. */
export const textBehindBarrier = '(behind a barrier)';

/** Outcomes that the service itself has for tasks and steps: they say what something has come to. Others are named by people, and are words of theirs. */
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

/** Members of which a change says from what to what behind a barrier as well: states, identifiers and times. */
const plain = new Set(['status', 'assignedTo', 'documentId', 'dueDate']);

/**
 * What is recorded of an act on something behind a barrier: identifiers, and no word that people wrote. Who may read the journal,
 * a webhook's payload or a mail is not for that inside of the barrier, so nothing that reads these needs to know of barriers.
 * A text that the shape asks for is a fixed one; others are left out, and of changed members only their names stay.
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
