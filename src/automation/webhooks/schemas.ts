import { type Static, type TSchema, Type } from 'typebox';
import { itemsOf, resultsOf } from '../../platform/http/bulk.ts';
import { searchFilter } from '../../platform/http/page.ts';
import { closed, time, uuid } from '../../platform/schema-parts.ts';

const endpointMembers = {
  id: uuid,
  name: Type.String(),
  url: Type.String(),
  events: Type.Array(Type.String()),
  isActive: Type.Boolean(),
  clientId: Type.Optional(Type.String()),
  teamId: uuid,
  createdBy: uuid,
  createdAt: time,
  updatedAt: time,
};
export const endpoint = Type.Object(endpointMembers, { ...closed, title: 'WebhookEndpoint' });
export type Endpoint = Static<typeof endpoint>;

export const endpointWithSecret = Type.Object(
  { ...endpointMembers, secret: Type.String({ description: 'Returned only here: `whsec_` and 32 bytes as base64' }) },
  { ...closed, title: 'WebhookEndpointWithSecret' },
);
export type EndpointWithSecret = Static<typeof endpointWithSecret>;

const name = Type.String({ maxLength: 1_000 });
const url = Type.String({ maxLength: 2_048, description: 'Absolute https URL' });
const events = Type.Array(Type.String({ maxLength: 128 }), {
  minItems: 1,
  maxItems: 64,
  description: 'Event types, families such as `task.*`, or `*` for all types that the caller can read',
});

export const createBody = Type.Object({ name, url, events });
export type CreateEndpoint = Static<typeof createBody>;

export const updateBody = Type.Object({
  name: Type.Optional(name),
  url: Type.Optional(url),
  events: Type.Optional(events),
  isActive: Type.Optional(Type.Boolean({ description: 'false holds pending deliveries and stops new events' })),
});
export type UpdateEndpoint = Static<typeof updateBody>;

export const rotateBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({ minimum: 0, maximum: 168, description: 'Hours with signatures of both secrets; 24 by default' }),
  ),
  expirePreviousNow: Type.Optional(Type.Boolean({ description: 'Whether to stop using the old secret at once, such as after a leak' })),
});
export type RotateSecret = Static<typeof rotateBody>;

export const settings = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Headers of each delivery. Callers without write access to webhooks get `[redacted]` for the values',
    }),
    maxPerSecond: Type.Optional(
      Type.Integer({ description: 'The maximum number of deliveries a second, over all nodes; absent for no limit' }),
    ),
    description: Type.Optional(Type.String()),
    signing: Type.Union([Type.Literal('hmac'), Type.Literal('ed25519')], {
      description: '`ed25519` adds a signature by a key of the service, published at /.well-known/webhook-jwks.json',
    }),
  },
  { ...closed, title: 'WebhookSettings' },
);
export type EndpointSettings = Static<typeof settings>;

const orNull = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]));
export const settingsBody = Type.Object({
  headers: orNull(
    Type.Record(Type.String(), Type.String(), {
      description: 'The complete set of headers, at most 20 and 4 KiB in all; headers that you leave out are removed',
    }),
  ),
  maxPerSecond: orNull(Type.Integer({ minimum: 1, maximum: 1_000 })),
  description: orNull(Type.String({ maxLength: 1_000 })),
  signing: orNull(Type.Union([Type.Literal('hmac'), Type.Literal('ed25519')])),
});
export type SettingsChange = Static<typeof settingsBody>;

export const recoverBody = Type.Object({
  since: Type.String({ format: 'date-time', description: 'The start of the period to recover' }),
});
export const recovered = Type.Object(
  {
    failed: Type.Integer({ description: 'The number of failed deliveries to retry' }),
    missed: Type.Integer({ description: 'The number of events from while the endpoint was inactive or not subscribed' }),
  },
  { ...closed, title: 'WebhookRecovery' },
);
export type Recovered = Static<typeof recovered>;

export const deliveryStatus = Type.Union([
  Type.Literal('pending'),
  Type.Literal('delivered'),
  Type.Literal('failed'),
  Type.Literal('cancelled'),
]);
export type DeliveryStatus = Static<typeof deliveryStatus>;

export const delivery = Type.Object(
  {
    id: uuid,
    endpointId: uuid,
    teamId: uuid,
    eventId: Type.String(),
    eventType: Type.String({ description: 'The event type, from the current catalogue or that of an earlier version' }),
    payload: Type.Unknown({
      description: 'The envelope of the delivery; an empty object if it was expunged, or if the token lacks the scope of the event',
    }),
    status: deliveryStatus,
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    responseStatus: Type.Optional(Type.Integer()),
    error: Type.Optional(Type.String({ description: 'The stable code of the last failure' })),
    createdAt: time,
    deliveredAt: Type.Optional(time),
    lastAttemptAt: Type.Optional(time),
    nextRetryAt: Type.Optional(time),
  },
  { ...closed, title: 'WebhookDelivery' },
);
export type Delivery = Static<typeof delivery>;

export const attempt = Type.Object(
  {
    attempt: Type.Integer(),
    startedAt: time,
    latencyMs: Type.Integer(),
    responseStatus: Type.Optional(Type.Integer()),
    error: Type.Optional(Type.String()),
    errorDetail: Type.Optional(Type.String()),
    responseHeaders: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    responseBody: Type.Optional(Type.String({ description: 'The first 16 KiB' })),
  },
  { ...closed, title: 'WebhookAttempt' },
);
export type Attempt = Static<typeof attempt>;

export const eventTypeDescription = Type.Object(
  {
    type: Type.String({ title: 'EventTypeName' }),
    description: Type.String(),
    scope: Type.String({ description: 'The scope that a subscription requires' }),
    requiresExplicitSubscription: Type.Optional(
      Type.Boolean({ description: 'Whether a subscription must name the type or its family, because `*` does not include it' }),
    ),
    schema: Type.Unknown({ description: 'JSON Schema of the envelope' }),
    example: Type.Unknown({ description: 'An envelope' }),
  },
  { ...closed, title: 'EventType' },
);
export type EventTypeDescription = Static<typeof eventTypeDescription>;

export const deliveryQuery = Type.Object({
  status: Type.Optional(deliveryStatus),
  eventType: Type.Optional(Type.String({ maxLength: 128 })),
  ...searchFilter('event type, event identifier or error'),
  sort: Type.Optional(Type.Enum(['-createdAt', 'createdAt'], { description: 'Newest first by default' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'The maximum number; 1 000 by default' })),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'From the `Link` header of the previous page' })),
});

export const retryManyBody = itemsOf(Type.Object({ id: Type.String({ format: 'uuid' }) }));
export const deliveryResults = resultsOf('delivery', delivery, { title: 'DeliveryResults' });
export const deliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });
