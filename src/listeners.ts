import { domains } from './domains.ts';
import type { EventListener } from './platform/journal/listeners.ts';
import type { BulkListener } from './platform/journal/record.ts';

/**
 * Who hears what is recorded, in the transaction of the act, one after the other: deliveries are queued in the order of the
 * events, and locks are taken in the order of docs/internals/locks.md.
 */
export const listeners: readonly EventListener[] = (['first', 'usual', 'last'] as const).flatMap((when) =>
  domains.flatMap(({ subscribes }) => subscribes[when] ?? []),
);

/** Announces events across teams to all who hear them so. */
export const announce: BulkListener = async (tx, type, announcements) => {
  for (const { subscribesBulk } of domains) for (const hear of subscribesBulk) await hear(tx, type, announcements);
};
