import { desk } from '../../platform/http/openapi/example-data.ts';
import type { DomainText } from '../../platform/http/openapi/texts.ts';

const endpoint = {
  id: desk.webhook,
  name: 'Contract register',
  url: 'https://register.northwind.example/hooks/chancery',
  events: ['workflow.*', 'task.completed'],
  isActive: true,
  teamId: desk.team.id,
  createdBy: desk.olivia.id,
  createdAt: desk.monday,
  updatedAt: desk.monday,
};
const secret = 'whsec_vt0zjhvoAkGoq814rfjU926CNp83TmmHBooWJaD/88Q=';

const payload = {
  id: desk.event,
  type: 'task.completed',
  teamId: desk.team.id,
  timestamp: desk.wednesday,
  data: {
    taskId: desk.approvalTask,
    teamId: desk.team.id,
    data: { title: 'Approve the NDA with Acme Robotics', outcome: 'approved', completedBy: desk.marcus.id },
  },
};

const delivery = {
  id: desk.delivery,
  endpointId: desk.webhook,
  teamId: desk.team.id,
  eventId: desk.event,
  eventType: 'task.completed',
  payload,
  status: 'delivered',
  attempts: 2,
  maxAttempts: 10,
  responseStatus: 204,
  createdAt: desk.wednesday,
  deliveredAt: '2026-03-11T14:05:06.120Z',
  lastAttemptAt: '2026-03-11T14:05:06.080Z',
};
const { deliveredAt: _then, ...inProgress } = delivery;
const failed = { ...inProgress, status: 'failed', attempts: 10, responseStatus: 503, error: 'http_status' };

const tested = {
  ...inProgress,
  eventType: 'webhook.test',
  payload: {
    ...payload,
    type: 'webhook.test',
    data: { endpointId: desk.webhook, teamId: desk.team.id, data: { message: 'A test for “Contract register”.' } },
  },
  status: 'pending',
  attempts: 0,
  responseStatus: undefined,
  lastAttemptAt: undefined,
};

const settings = {
  headers: { 'X-Tenant': 'northwind' },
  maxPerSecond: 20,
  description: 'Updates the contract register',
  signing: 'hmac',
};

export const description: DomainText = {
  operations: {
    listWebhooks: {
      text: 'Lists webhook endpoints. The owner and administrators see those of the whole team, an API client those that it registered. The response has no secrets.',
      answer: [endpoint],
    },
    createWebhook: {
      text: 'Registers an endpoint for events of the given types, such as `task.completed`, `task.*` or `*`, from the next event on. Only this response has the signing secret. The URL is `https` and leads to a public address; Chancery resolves it again for each connection. The endpoint of an API client gets only events within the client’s scopes. A team has at most 50 endpoints. A repetition with an `Idempotency-Key` from the same session returns the same secret; without one it registers a second endpoint.',
      records: ['webhook.endpoint.created'],
      problems: ['webhook_endpoint_limit', 'url_not_allowed', 'webhook_event_not_found'],
      body: { name: endpoint.name, url: endpoint.url, events: endpoint.events },
      answer: { ...endpoint, secret },
    },
    listEventTypes: {
      text: 'Lists all event types with their meaning, scope, JSON Schema and an example. `*` does not include a type with `requiresExplicitSubscription`; subscribe to its name or family.',
      answer: [
        {
          type: 'task.completed',
          description: 'A task was completed.',
          scope: 'tasks:read',
          schema: { type: 'object', required: ['id', 'type', 'teamId', 'timestamp', 'data'] },
          example: payload,
        },
      ],
    },
    getWebhook: {
      text: 'Returns an endpoint. `isActive` is `false` for a disabled endpoint. Chancery disables an endpoint that responds 410 or has failed for five days.',
      answer: endpoint,
    },
    updateWebhook: {
      text: 'Changes the members that you send. Pending deliveries use the new settings. A new URL resets the failure history. `isActive: true` enables an endpoint again; `recoverWebhook` sends the missed events.',
      records: ['webhook.endpoint.updated'],
      problems: ['url_not_allowed', 'webhook_event_not_found'],
      body: { events: ['workflow.*', 'task.*'], isActive: true },
      answer: { ...endpoint, events: ['workflow.*', 'task.*'], updatedAt: desk.tuesday },
    },
    deleteWebhook: {
      text: 'Deletes an endpoint and cancels its pending deliveries in one transaction. Its delivery log is no longer available. A repetition responds 404.',
      records: ['webhook.endpoint.deleted'],
    },
    rotateWebhookSecret: {
      text: 'Replaces the secret of an endpoint. Only this response has the new secret. For `overlapHours`, 24 by default, each delivery has the signatures of both secrets, so the receiver can change without a gap. `expirePreviousNow` ends the old secret at once, such as after a leak.',
      records: ['webhook.secret_rotated'],
      body: { overlapHours: 24 },
      answer: { ...endpoint, updatedAt: desk.wednesday, secret },
    },
    getWebhookSettings: {
      text: 'Returns the delivery settings of an endpoint: custom headers, maximum deliveries a second and the kind of signature.',
      answer: settings,
    },
    updateWebhookSettings: {
      text: 'Changes the delivery settings of an endpoint; `null` restores a default. Custom headers can have a token for the receiver, but cannot replace headers of the service. They apply from the next attempt on. The journal records the names of headers, never their values.',
      records: ['webhook.endpoint.settings_changed'],
      body: { headers: { 'X-Tenant': 'northwind' }, maxPerSecond: 20, description: settings.description },
      answer: settings,
    },
    listWebhookDeliveries: {
      text: 'Lists the deliveries of an endpoint with their status, newest first. Chancery keeps successful deliveries for 30 days, ended ones for 90 days, and pending ones until they end. `limit` is 1 to 1 000, and `Link` has the next page.',
      answer: [delivery],
    },
    getWebhookDelivery: {
      text: 'Returns a delivery with its payload and the last response of the receiver. An expunged delivery has no payload, but the rest of its log.',
      answer: delivery,
    },
    listDeliveryAttempts: {
      text: 'Lists the attempts of a delivery, oldest first. Each has the response of the receiver, the first 16 KiB of its body and the latency. A failed attempt also has the kind of failure and how to fix it.',
      answer: [
        {
          attempt: 1,
          startedAt: desk.wednesday,
          latencyMs: 212,
          responseStatus: 503,
          error: 'http_status',
          errorDetail: 'the receiver responded with 503',
        },
        {
          attempt: 2,
          startedAt: '2026-03-11T14:05:06.080Z',
          latencyMs: 40,
          responseStatus: 204,
          responseHeaders: { server: 'register/2' },
        },
      ],
    },
    expungeDeliveryPayload: {
      text: 'Deletes the payload of a delivery and of its event permanently, such as for an erasure request. Cancels the pending deliveries of the event to all endpoints. The log keeps statuses and attempts. For the owner and administrators, not for API clients. A repetition changes nothing.',
      records: ['webhook.payload.expunged'],
    },
    retryWebhookDeliveries: {
      text: 'Sends up to 100 deliveries of an endpoint again, each by the rules of `retryWebhookDelivery` and in a separate transaction. The response is 200 even if some fail, with a result for each item in its order. A duplicate is a 400, and nothing changes. With an `Idempotency-Key` a repetition returns completed items again and retries failed ones.',
      records: ['webhook.delivery.retried'],
      body: { items: [{ id: failed.id }] },
      answer: {
        results: [{ id: failed.id, status: 200, delivery: { ...failed, status: 'pending', error: undefined, responseStatus: undefined } }],
      },
    },
    retryWebhookDelivery: {
      text: 'Sends a delivery again, or a pending one now. The event keeps its identifier, so the receiver can detect repetitions. Responds 409 for a delivery that succeeded or is in flight.',
      records: ['webhook.delivery.retried'],
      problems: ['webhook_endpoint_inactive', 'webhook_delivery_not_retryable', 'webhook_event_closed', 'webhook_payload_deleted'],
      answer: { ...failed, status: 'pending', error: undefined, responseStatus: undefined },
    },
    testWebhook: {
      text: 'Sends a `webhook.test` event to this endpoint, regardless of its event types. The response is the pending delivery; read its result from the log.',
      records: ['webhook.test'],
      problems: ['webhook_endpoint_inactive'],
      answer: tested,
    },
    recoverWebhook: {
      text: 'Sends failed deliveries since a time, and events from while the endpoint was inactive. Use it after an outage. The response has the number of each. Successful deliveries are not sent again, and receivers detect repetitions by the event identifier. It reaches as far back as the log.',
      records: ['webhook.endpoint.recovered'],
      problems: ['webhook_endpoint_inactive'],
      body: { since: desk.tuesday },
      answer: { failed: 12, missed: 3 },
    },
  },
  members: {
    url: 'The address that receives events',
    'WebhookEndpoint.events': 'The subscribed types: a name, a family such as `task.*`, or `*`',
    'WebhookEndpointWithSecret.events': 'The subscribed types: a name, a family such as `task.*`, or `*`',
    'WebhookEndpoint.clientId': 'The API client that registered it, if any',
    'WebhookEndpointWithSecret.clientId': 'The API client that registered it, if any',
    headers: 'Sent with each delivery, besides those of the service',
    maxPerSecond: 'The maximum number of deliveries a second',
    signing: '`hmac` with the secret only, or `ed25519` with a key of the service as well',
    'WebhookDelivery.endpointId': 'The endpoint of the delivery',
    'WebhookDelivery.eventId': 'The event, the same for each attempt',
    'WebhookDelivery.status': '`pending`, `delivered`, `failed` permanently, or `cancelled`',
    'WebhookDelivery.attempts': 'The number of attempts',
    'WebhookDelivery.maxAttempts': 'The maximum number of attempts',
    'WebhookDelivery.deliveredAt': 'The time of success',
    'WebhookDelivery.lastAttemptAt': 'The time of the last attempt',
    'WebhookDelivery.nextRetryAt': 'The time of the next attempt',
    responseStatus: 'The HTTP status of the receiver’s response',
    'WebhookAttempt.error': 'The kind of failure; absent for a success',
    'WebhookAttempt.attempt': 'The number of the attempt, starting at 1',
    'WebhookAttempt.latencyMs': 'The duration, in milliseconds',
    'WebhookAttempt.errorDetail': 'The details of the failure, such as the TLS error',
    'WebhookAttempt.responseHeaders': 'The headers of the response',
    'listWebhookDeliveries.status': 'Only deliveries with this status',
    'listWebhookDeliveries.eventType': 'Only deliveries of events of this type',
  },
};
