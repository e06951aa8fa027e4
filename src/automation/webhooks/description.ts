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
const { deliveredAt: _then, ...underWay } = delivery;
const failed = { ...underWay, status: 'failed', attempts: 10, responseStatus: 503, error: 'http_status' };

const tested = {
  ...underWay,
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
  description: 'Writes the register of contracts',
  signing: 'hmac',
};

export const description: DomainText = {
  operations: {
    listWebhooks: {
      text: 'Lists the endpoints that are told of events: for owner and administrators those of the whole team, for an API client those it registered itself. Secrets are shown by no reading.',
      answer: [endpoint],
    },
    createWebhook: {
      text: 'Registers an endpoint that gets each event of the types it names, such as `task.completed`, `task.*` or `*`, from the next act on. The secret that deliveries are signed with is in this answer and nowhere else. The URL is `https` and leads to a public address; it is looked up anew at each connection. An API client’s endpoint gets only events that the client’s scopes open. A team has 50 endpoints at most. With an `Idempotency-Key` a repetition from the same session shows the same secret; without, it registers a second endpoint.',
      records: ['webhook.endpoint.created'],
      problems: ['webhook_endpoint_limit', 'url_not_allowed', 'webhook_event_not_found'],
      body: { name: endpoint.name, url: endpoint.url, events: endpoint.events },
      answer: { ...endpoint, secret },
    },
    listEventTypes: {
      text: 'Lists every type of event with what it means, the scope that opens it, the JSON Schema of its payload, and an example. A type with `requiresExplicitSubscription` is brought by its name or family, and not by `*`.',
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
      text: 'Shows one endpoint. An endpoint that was switched off, by hand or since it answered 410 or nothing for five days, has `isActive: false`.',
      answer: endpoint,
    },
    updateWebhook: {
      text: 'Changes the members that are given. What is under way to the endpoint as it was before is sent to it as it is now; another URL forgets the failures of the one before. `isActive: true` switches an endpoint on again; what it missed is sent by `recoverWebhook`.',
      records: ['webhook.endpoint.updated'],
      problems: ['url_not_allowed', 'webhook_event_not_found'],
      body: { events: ['workflow.*', 'task.*'], isActive: true },
      answer: { ...endpoint, events: ['workflow.*', 'task.*'], updatedAt: desk.tuesday },
    },
    deleteWebhook: {
      text: 'Deletes an endpoint and cancels what waits for it, in one transaction. What it was sent is not shown any more. A repetition is 404.',
      records: ['webhook.endpoint.deleted'],
    },
    rotateWebhookSecret: {
      text: 'Gives an endpoint a new secret, shown in this answer alone. For `overlapHours`, 24 unless it is said otherwise, each delivery carries the signatures of both, so that the receiver changes over without a gap; `expirePreviousNow` ends the old one at once, for a secret that others know.',
      records: ['webhook.secret_rotated'],
      body: { overlapHours: 24 },
      answer: { ...endpoint, updatedAt: desk.wednesday, secret },
    },
    getWebhookSettings: {
      text: 'Shows what an endpoint is sent with: headers of one’s own, how many deliveries a second it gets at most, and how they are signed.',
      answer: settings,
    },
    updateWebhookSettings: {
      text: 'Changes how an endpoint is delivered to; `null` puts a member back to what it is by default. Headers of one’s own may carry a token that the receiver asks for, and must not be those that the service sets itself. They hold from the next attempt on. The journal names the headers, never their values.',
      records: ['webhook.endpoint.settings_changed'],
      body: { headers: { 'X-Tenant': 'northwind' }, maxPerSecond: 20, description: settings.description },
      answer: settings,
    },
    listWebhookDeliveries: {
      text: 'Lists what was sent to an endpoint, or is to be, the newest first, with the state of each. What was delivered is kept for 30 days, everything else for 90, and what waits until it has ended. `limit` is 1 to 1 000, and `Link` leads to the next page.',
      answer: [delivery],
    },
    getWebhookDelivery: {
      text: 'Shows one delivery with its payload and the last answer of the receiver. Where the payload was expunged there is none, and the rest of the log stays.',
      answer: delivery,
    },
    listDeliveryAttempts: {
      text: 'Lists each attempt of a delivery, the first one first: what the receiver answered, the first 16 KiB of its body, how long it took, and for a failure which kind it was and what to mend.',
      answer: [
        {
          attempt: 1,
          startedAt: desk.wednesday,
          latencyMs: 212,
          responseStatus: 503,
          error: 'http_status',
          errorDetail: 'the receiver answered 503',
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
      text: 'Takes the payload out of a delivery for good, for a request to erase, and with it that of the event. What of the event still waits to be sent, to any endpoint, is cancelled; states and attempts stay in the log. It is for owner and administrators, and no API client. A repetition changes nothing.',
      records: ['webhook.payload.expunged'],
    },
    retryWebhookDelivery: {
      text: 'Sends a delivery once more, or one that waits now instead of later. The event keeps its identifier, by which the receiver tells what came twice. What has arrived, or is being sent at this moment, is not sent again.',
      records: ['webhook.delivery.retried'],
      problems: ['webhook_endpoint_inactive', 'webhook_delivery_not_retryable', 'webhook_event_closed', 'webhook_payload_deleted'],
      answer: { ...failed, status: 'pending', error: undefined, responseStatus: undefined },
    },
    testWebhook: {
      text: 'Sends one event of the type `webhook.test` to this endpoint, whatever types it names. The answer is its delivery as it waits; what came of it is read from the log a moment later.',
      records: ['webhook.test'],
      problems: ['webhook_endpoint_inactive'],
      answer: tested,
    },
    recoverWebhook: {
      text: 'After an outage, sends to an endpoint what failed since a time, and what happened while it was switched off. The answer says how many of each. What was delivered is not sent again, and receivers tell by the identifier of the event what comes twice. It goes back as far as the log does.',
      records: ['webhook.endpoint.recovered'],
      problems: ['webhook_endpoint_inactive'],
      body: { since: desk.tuesday },
      answer: { failed: 12, missed: 3 },
    },
  },
  members: {
    url: 'Where events are sent to',
    'WebhookEndpoint.events': 'The types it is told of: by name, by family as `task.*`, or `*`',
    'WebhookEndpointWithSecret.events': 'The types it is told of: by name, by family as `task.*`, or `*`',
    'WebhookEndpoint.clientId': 'The API client that registered it, where it was one',
    'WebhookEndpointWithSecret.clientId': 'The API client that registered it, where it was one',
    headers: 'Sent with each delivery, beside those of the service',
    maxPerSecond: 'How many deliveries it gets in a second at most',
    signing: '`hmac` by the secret alone, or `ed25519` by a key of the service as well',
    'WebhookDelivery.endpointId': 'The endpoint that it is for',
    'WebhookDelivery.eventId': 'The event, the same at each attempt',
    'WebhookDelivery.status': '`pending`, `delivered`, `failed` for good, or `cancelled`',
    'WebhookDelivery.attempts': 'How often it was tried',
    'WebhookDelivery.maxAttempts': 'How often it is tried at most',
    'WebhookDelivery.deliveredAt': 'When it arrived',
    'WebhookDelivery.lastAttemptAt': 'When it was tried last',
    'WebhookDelivery.nextRetryAt': 'When it is tried next',
    responseStatus: 'The HTTP status that the receiver answered',
    'WebhookAttempt.error': 'Which kind of failure it was; absent when it arrived',
    'WebhookAttempt.attempt': 'Counts from 1',
    'WebhookAttempt.latencyMs': 'How long it took, in milliseconds',
    'WebhookAttempt.errorDetail': 'What went wrong, and for TLS which fault',
    'WebhookAttempt.responseHeaders': 'The headers of the answer',
    'listWebhookDeliveries.status': 'Only deliveries in this state',
    'listWebhookDeliveries.eventType': 'Only deliveries of events of this type',
  },
};
