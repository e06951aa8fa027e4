import type { EventListener } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { firstIdFor } from './first-ids.ts';
import { type DeliveryRow, findDeliveryOf } from './queries.ts';

/** Records an event for one endpoint with `announce`, and returns its delivery. Returns undefined if the endpoint is deleted or disabled. */
export async function sendToOne(
  scope: Scope,
  endpoint: string,
  announce: (scope: Scope) => Promise<void>,
): Promise<DeliveryRow | undefined> {
  let event = '';
  const captureEvent: EventListener = async (_, { id }) => {
    event = id;
  };
  await announce({ ...scope, listeners: [...scope.listeners, captureEvent] });
  await scope.db.sendAdded();
  return scope.db.first(findDeliveryOf, { team: scope.team, endpoint, event, firstDelivery: firstIdFor(event) });
}
