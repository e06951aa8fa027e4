import { type Static, type TSchema, Type } from 'typebox';
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
  { ...endpointMembers, secret: Type.String({ description: 'Shown only here: `whsec_` and 32 bytes as base64' }) },
  { ...closed, title: 'WebhookEndpointWithSecret' },
);
export type EndpointWithSecret = Static<typeof endpointWithSecret>;

const name = Type.String({ maxLength: 1_000 });
const url = Type.String({ maxLength: 2_048, description: 'Absolute https URL' });
const events = Type.Array(Type.String({ maxLength: 128 }), {
  minItems: 1,
  maxItems: 64,
  description: 'Event types, families such as `task.*`, or `*` for all that the caller may read about',
});

export const createBody = Type.Object({ name, url, events });
export type CreateEndpoint = Static<typeof createBody>;

export const updateBody = Type.Object({
  name: Type.Optional(name),
  url: Type.Optional(url),
  events: Type.Optional(events),
  isActive: Type.Optional(Type.Boolean({ description: 'false holds what waits and takes no new events' })),
});
export type UpdateEndpoint = Static<typeof updateBody>;

export const rotateBody = Type.Object({
  overlapHours: Type.Optional(
    Type.Number({ minimum: 0, maximum: 168, description: 'How long the old secret signs beside the new one; 24 by default' }),
  ),
  expirePreviousNow: Type.Optional(Type.Boolean({ description: 'The old secret is known to others: stop signing with it at once' })),
});
export type RotateSecret = Static<typeof rotateBody>;

export const settings = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'Sent with each delivery. Who may not write webhooks sees `[redacted]` in place of the values',
    }),
    maxPerSecond: Type.Optional(Type.Integer({ description: 'Deliveries a second at most, over all nodes; absent is no limit' })),
    description: Type.Optional(Type.String()),
    signing: Type.Union([Type.Literal('hmac'), Type.Literal('ed25519')], {
      description: '`ed25519` adds a signature by a key of the service, published at /.well-known/webhook-jwks.json',
    }),
  },
  { ...closed, title: 'WebhookSettings' },
);
export type Settings = Static<typeof settings>;

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
  since: Type.String({ format: 'date-time', description: 'What failed or was missed since then is sent' }),
});
export const recovered = Type.Object(
  {
    failed: Type.Integer({ description: 'Failed deliveries that are tried again' }),
    missed: Type.Integer({ description: 'Events that happened while the endpoint was inactive or not subscribed' }),
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
      description: 'The envelope as it is sent; an empty object when it was expunged, or carries what needs a scope the token lacks',
    }),
    status: deliveryStatus,
    attempts: Type.Integer(),
    maxAttempts: Type.Integer(),
    responseStatus: Type.Optional(Type.Integer()),
    error: Type.Optional(Type.String({ description: 'Why the last attempt failed, as a stable code' })),
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
    scope: Type.String({ description: 'The scope that opens what such events are about; it takes that to subscribe' }),
    requiresExplicitSubscription: Type.Optional(
      Type.Boolean({ description: 'True where the type or its family must be named, since `*` does not bring it' }),
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
  sort: Type.Optional(Type.Enum(['-createdAt', 'createdAt'], { description: 'Newest first without it' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'At most so many; 1 000 by default' })),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'Taken from the Link header of the page before' })),
});

export const deliveryParams = Type.Object({ id: Type.String(), deliveryId: Type.String() });
