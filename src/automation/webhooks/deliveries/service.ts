import { randomUUIDv7 } from 'node:crypto';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { firstIdAt, firstIdFor, hexTime, idSlackMs } from './first-ids.ts';
import * as deliveryQueries from './queries.ts';
import { sendToOne } from './send-to-endpoint.ts';
import { closedTo, matchersOf, scopesOfEvents, typesClosedTo, typesToOne } from '../event-names.ts';
import { deliveryRetried, endpointRecovered, payloadExpunged, webhookTest } from '../events.ts';
import { presentAttempt, presentDelivery } from '../present.ts';
import { webhookProblems } from '../problems.ts';
import { type EndpointRow, findEndpoint, lockEndpoint, wakeWorkers } from '../endpoints/queries.ts';
import type { Attempt, Delivery, DeliveryStatus, Recovered } from '../schemas.ts';
import { oneEndpoint } from '../endpoints/service.ts';
import { endpointsOf } from '../policy.ts';
import type { MergedPage, MergedPart } from '../../../platform/database/merged-page.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The filters of a page; `beyond` is the last delivery of the previous page. */
export type LogPage = {
  status?: DeliveryStatus;
  eventType?: string;
  q?: string;
  sort?: 'createdAt' | '-createdAt';
  beyond?: string;
  limit: number;
};

const noScopes: ReadonlySet<string> = new Set();

/** Returns a page of an endpoint’s deliveries, newest first, with one more if there are more. Errors: 404. */
export async function listDeliveries(
  scope: ReadScope,
  endpointId: string,
  page: LogPage,
  scopes: ReadonlySet<string>,
): Promise<Delivery[]> {
  const endpoint = pathId(endpointId, 'webhook endpoint');
  const { found, rows } = await pipelined({
    found: () => scope.db.first(findEndpoint, oneEndpoint(scope, endpoint)),
    rows: () => scope.db.query(deliveryQueries.listDeliveries(scope.team, endpoint, { ...page, limit: page.limit + 1 })),
  });
  if (!found) throw notFound('webhook endpoint');
  return rows.map((row) => presentDelivery(row, scopes));
}

/** Returns the failed deliveries of the endpoints that the actor may see, the oldest first. */
export const failedDeliveries = ({ db, team, actor }: ReadScope, page: MergedPage): Promise<MergedPart[]> =>
  db.all(deliveryQueries.failedDeliveries, { team, owner: endpointsOf(actor), ...page });

/** Throws 404 for an endpoint that the actor cannot see. */
export async function requireEndpoint(scope: Scope, endpointId: string): Promise<void> {
  if (!(await scope.db.first(findEndpoint, oneEndpoint(scope, pathId(endpointId, 'webhook endpoint'))))) throw notFound('webhook endpoint');
}

/** Returns one delivery. Errors: 404. */
export async function getDelivery(
  scope: ReadScope,
  endpointId: string,
  deliveryId: string,
  scopes: ReadonlySet<string>,
): Promise<Delivery> {
  const { endpoint, id } = idsOf(endpointId, deliveryId);
  const { found, row } = await pipelined({
    found: () => scope.db.first(findEndpoint, oneEndpoint(scope, endpoint)),
    row: () => scope.db.first(deliveryQueries.findDelivery, { team: scope.team, endpoint, id }),
  });
  if (!found) throw notFound('webhook endpoint');
  if (!row) throw notFound('delivery');
  return presentDelivery(row, scopes);
}

/** Lists the attempts of a delivery, oldest first. Errors: 404. */
export async function listAttempts(scope: ReadScope, endpointId: string, deliveryId: string): Promise<Attempt[]> {
  const { endpoint, id } = idsOf(endpointId, deliveryId);
  const { rows } = await pipelined({
    getDelivery: () => getDelivery(scope, endpoint, id, noScopes),
    rows: () => scope.db.all(deliveryQueries.listAttempts, { team: scope.team, endpoint, id }),
  });
  return rows.map(presentAttempt);
}

/** Sends a `webhook.test` event to one endpoint, regardless of its subscriptions. Errors: 404, 409 `webhook_endpoint_inactive`. */
export async function testEndpoint(scope: Scope, endpointId: string): Promise<Delivery> {
  const endpoint = await activeEndpoint(scope, endpointId);
  const message = `A test for “${endpoint.name}”.`;
  const made = await sendToOne(scope, endpoint.id, (within) => record(within, webhookTest, endpoint.id, { message }));
  if (!made) throw notFound('webhook endpoint');
  return presentDelivery(made, new Set([webhookTest.scope]));
}

/**
 * Sends a failed delivery again, or a waiting one now. The event keeps its identifier. Errors: 404, 409 `webhook_endpoint_inactive`,
 * `webhook_delivery_not_retryable`, `webhook_event_closed`, `webhook_payload_deleted`.
 */
export async function retryDelivery(scope: Scope, endpointId: string, deliveryId: string, scopes: ReadonlySet<string>): Promise<Delivery> {
  const { endpoint, id } = idsOf(endpointId, deliveryId);
  await activeEndpoint(scope, endpoint);
  const open = await openScopes(scope, endpoint);
  const one = { team: scope.team, endpoint, id };
  const { payload, requeued, hastened, row } = await pipelined({
    // Comes first: a locked event is not deleted for its age.
    payload: () => scope.db.first(deliveryQueries.lockPayload, one),
    requeued: () => scope.db.first(deliveryQueries.requeueEnded, one),
    hastened: () => scope.db.first(deliveryQueries.makeDueNow, one),
    row: () => scope.db.first(deliveryQueries.findDelivery, one),
    wakeWorkers: () => scope.db.all(wakeWorkers, { team: scope.team }),
    deliveryRetried: () => recordAudit(scope, deliveryRetried, id, { endpointId: endpoint }),
  });
  if (!row) throw notFound('delivery');
  const closed = row.event_type === webhookTest.type ? undefined : closedTo(open, [row.event_type]);
  if (closed)
    throw webhookProblems.webhook_event_closed(
      `The endpoint belongs to an API client that may not get \`${closed.type}\` without the scope \`${closed.scope}\`.`,
    );
  if (!payload || payload.bytes === 0)
    throw webhookProblems.webhook_payload_deleted('The payload of this delivery was expunged, so it cannot be sent again.');
  if (!requeued && !hastened) {
    const why = row.status === 'delivered' ? 'The delivery succeeded' : 'The delivery is in flight';
    throw webhookProblems.webhook_delivery_not_retryable(`${why}. You can retry only a pending, failed or cancelled delivery.`);
  }
  return presentDelivery(row, scopes);
}

/**
 * Deletes the payload of a delivery and of its event permanently. Waiting deliveries of the event to all endpoints are cancelled with
 * `payload_expunged`. Statuses and attempts stay. Errors: 404.
 */
export async function expungePayload(scope: Scope, endpointId: string, deliveryId: string): Promise<void> {
  const { endpoint, id } = idsOf(endpointId, deliveryId);
  const row = await scope.db.first(deliveryQueries.findDelivery, { team: scope.team, endpoint, id });
  if (!row) throw notFound('delivery');
  scope.db.send(deliveryQueries.expungePayload, { team: scope.team, event: row.event_id, firstDelivery: firstIdFor(row.event_id) });
  await recordAudit(scope, payloadExpunged, id, { endpointId: endpoint, eventId: row.event_id });
}

/**
 * Recovers from an outage. Retries deliveries that failed since a time with a complete series of attempts, and sends the events that were not queued
 * since then. Does not cover the time before the registration. Errors: 400 for a time in the future, 404, 409 `webhook_endpoint_inactive`.
 */
export async function recoverEndpoint(scope: Scope, endpointId: string, since: string): Promise<Recovered> {
  const { endpoint, time } = await pipelined({
    endpoint: () => activeEndpoint(scope, endpointId),
    time: () => scope.db.first(deliveryQueries.databaseTime, {}),
  });
  if (Date.parse(since) > Date.parse(time?.now ?? '')) {
    throw problems.validation_failed('`since` is in the future. Give the start time of the outage.', {
      errors: [{ name: 'since', pointer: '/since', reason: 'is in the future', rule: 'past' }],
    });
  }
  const from = new Date(Math.max(Date.parse(since), Date.parse(endpoint.created_at)));
  const firstMs = Math.max(0, from.getTime() - idSlackMs);
  const closed = typesClosedTo(await openScopes(scope, endpoint.id));
  const range = { team: scope.team, endpoint: endpoint.id, since: from.toISOString(), firstDelivery: firstIdAt(firstMs), closed };
  const { failed, missed } = await pipelined({
    failed: () => scope.db.first(deliveryQueries.requeueFailed, range),
    missed: () =>
      scope.db.first(deliveryQueries.queueMissed, {
        ...range,
        ...matchersOf(endpoint.events),
        firstEvent: `evt_${hexTime(firstMs)}`,
        not: [webhookTest.type, ...typesToOne()],
        base: randomUUIDv7(),
      }),
    wakeWorkers: () => scope.db.all(wakeWorkers, { team: scope.team }),
  });
  const done = { failed: failed?.n ?? 0, missed: missed?.n ?? 0 };
  await recordAudit(scope, endpointRecovered, endpoint.id, { since: range.since, ...done });
  return done;
}

/** The scopes that the endpoint currently has. */
async function openScopes(scope: Scope, endpoint: string): Promise<ReadonlySet<string>> {
  const open = await scope.db.all(deliveryQueries.scopesOpenTo, { team: scope.team, endpoint, scopes: scopesOfEvents() });
  return new Set(open.map((row) => row.scope));
}

function idsOf(endpointId: string, deliveryId: string): { endpoint: string; id: string } {
  return { endpoint: pathId(endpointId, 'webhook endpoint'), id: pathId(deliveryId, 'delivery') };
}

/** Locks an endpoint, so that it is not deleted or disabled before deliveries are queued for it. Errors: 404, 409. */
async function activeEndpoint(scope: Scope, id: string): Promise<EndpointRow> {
  const row = await scope.db.first(lockEndpoint, oneEndpoint(scope, id));
  if (!row) throw notFound('webhook endpoint');
  if (!row.is_active)
    throw webhookProblems.webhook_endpoint_inactive('The endpoint is not active. Set `isActive` to true first, then repeat the request.');
  return row;
}
