import { eventCatalogue, type EventType } from '../../platform/journal/audit-actions.ts';
import type { AttemptRow, DeliveryRow } from './deliveries/queries.ts';
import { closedTo } from './event-names.ts';
import type { EndpointRow } from './endpoints/queries.ts';
import type { Attempt, Delivery, Endpoint, EventTypeDescription } from './schemas.ts';

export function presentEndpoint(row: EndpointRow): Endpoint {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    events: row.events,
    isActive: row.is_active,
    ...(row.client_id === null ? {} : { clientId: row.client_id }),
    teamId: row.team_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Returns the envelope as sent. The contract requires an envelope, so an expunged or unreadable payload becomes an empty object. */
function payloadOf(body: Buffer | null): unknown {
  if (!body || body.length === 0) return {};
  try {
    return JSON.parse(body.toString());
  } catch {
    return {};
  }
}

/** Converts a row to a delivery for a caller with these scopes. */
export function presentDelivery(row: DeliveryRow, scopes: ReadonlySet<string>): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    teamId: row.team_id,
    eventId: row.event_id,
    eventType: row.event_type,
    payload: closedTo(scopes, [row.event_type]) ? {} : payloadOf(row.body),
    status: row.status as Delivery['status'],
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    ...(row.response_status === null ? {} : { responseStatus: row.response_status }),
    ...(row.error === null ? {} : { error: row.error }),
    createdAt: row.created_at,
    ...(row.delivered_at === null ? {} : { deliveredAt: row.delivered_at }),
    ...(row.last_attempt_at === null ? {} : { lastAttemptAt: row.last_attempt_at }),
    ...(row.next_retry_at === null ? {} : { nextRetryAt: row.next_retry_at }),
  };
}

export function presentAttempt(row: AttemptRow): Attempt {
  return {
    attempt: row.attempt,
    startedAt: row.started_at,
    latencyMs: row.latency_ms,
    ...(row.response_status === null ? {} : { responseStatus: row.response_status }),
    ...(row.error === null ? {} : { error: row.error }),
    ...(row.error_detail === null ? {} : { errorDetail: row.error_detail }),
    ...(row.response_headers === null ? {} : { responseHeaders: JSON.parse(row.response_headers) as Record<string, unknown> }),
    ...(row.response_body === null ? {} : { responseBody: row.response_body.toString() }),
  };
}

const example = {
  id: 'evt_0192f3c1a8b97c3d8e4f5a6b7c8d9e0f',
  teamId: '0192f3c0-1a2b-7c3d-8e4f-5a6b7c8d9e0f',
  thingId: '0192f3c1-9f8e-7d6c-8b5a-4f3e2d1c0b9a',
  timestamp: '2026-11-21T09:30:00.000Z',
};

const object = (properties: Record<string, unknown>, optional: Record<string, unknown> = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...optional },
});

function describeType(event: EventType): EventTypeDescription {
  const { type, target, description, scope, requiresExplicitSubscription } = event;
  const string = { type: 'string' };
  return {
    type,
    description,
    scope,
    ...(requiresExplicitSubscription ? { requiresExplicitSubscription } : {}),
    schema: object(
      {
        id: string,
        type: { const: type },
        teamId: string,
        timestamp: { type: 'string', format: 'date-time' },
        data: object({ [`${target}Id`]: string, teamId: string, data: event.data }),
      },
      { dataTruncated: { const: true, description: 'Texts or lists in `data` were shortened, so that the event has at most 256 KiB' } },
    ),
    example: {
      id: example.id,
      type,
      teamId: example.teamId,
      timestamp: example.timestamp,
      data: { [`${target}Id`]: example.thingId, teamId: example.teamId, data: event.example },
    },
  };
}

/** Lists all event types by name, each with the JSON Schema and an example of its envelope. */
export function presentCatalogue(): EventTypeDescription[] {
  return [...eventCatalogue.values()].toSorted((a, b) => (a.type < b.type ? -1 : 1)).map(describeType);
}
