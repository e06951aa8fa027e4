import { domains } from './domains.ts';
import type { EventListener } from './platform/journal/listeners.ts';
import type { BulkListener } from './platform/journal/record.ts';

/**
 * All event listeners. They run one after the other in the transaction of the action. So deliveries are queued in the order of the events, and locks
 * are acquired in the order of docs/internals/locks.md.
 */
export const listeners: readonly EventListener[] = (['first', 'usual', 'last'] as const).flatMap((when) =>
  domains.flatMap(({ subscribes }) => subscribes[when] ?? []),
);

/** Announces bulk events across teams to the bulk listeners of all domains. */
export const announce: BulkListener = async (tx, type, announcements) => {
  for (const { subscribesBulk } of domains) for (const hear of subscribesBulk) await hear(tx, type, announcements);
};
