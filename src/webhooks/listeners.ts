import { randomUUIDv7 } from 'node:crypto';
import type { EventListener } from '../platform/journal/record.ts';
import { fanOut } from './delivery-queries.ts';
import { subscriptionsTo } from './event-names.ts';
import { webhookTest } from './events.ts';

const namesOf = new Map<string, string[]>();

/** Memoised: there are a few dozen types, and each event asks. */
function names(type: string): string[] {
  const known = namesOf.get(type) ?? subscriptionsTo(type);
  namesOf.set(type, known);
  return known;
}

/**
 * Queues an event for each endpoint of its team that asks for it, in the transaction of the act: the outbox. One
 * statement, which finds an empty index when the team has no endpoint.
 */
export const webhookListener: EventListener = async (scope, event) => {
  scope.db.send(fanOut, {
    team: scope.team,
    event: event.id,
    type: event.type,
    names: names(event.type),
    only: event.type === webhookTest.type ? String(event.data.endpointId) : null,
    base: randomUUIDv7(),
  });
};
