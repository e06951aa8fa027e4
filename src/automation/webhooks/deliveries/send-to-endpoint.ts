import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { firstIdFor } from './first-ids.ts';
import { type DeliveryRow, findDeliveryOf } from './queries.ts';

/**
 * Records an event that goes to one endpoint, and finds the delivery by which it goes there; nothing where the endpoint is gone or switched
 * off. `announce` records it in the scope that it is given.
 */
export async function sendToOne(
  scope: Scope,
  endpoint: string,
  announce: (scope: Scope) => Promise<void>,
): Promise<DeliveryRow | undefined> {
  let event = '';
  const noteEvent: EventListener = async (_, { id }) => {
    event = id;
  };
  await announce({ ...scope, listeners: [...scope.listeners, noteEvent] });
  await scope.db.sendAdded();
  return scope.db.first(findDeliveryOf, { team: scope.team, endpoint, event, firstDelivery: firstIdFor(event) });
}
