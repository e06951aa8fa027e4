import { defineProblems } from '../../platform/problems.ts';

export const webhookProblems = defineProblems({
  webhook_endpoint_limit: {
    status: 409,
    title: 'Webhook endpoint limit reached',
    help: 'A team can have at most 50 webhook endpoints, including inactive ones. Delete one that you no longer use, or let one endpoint receive several event types.',
  },
  webhook_endpoint_inactive: {
    status: 409,
    title: 'Webhook endpoint inactive',
    help: 'Chancery sends nothing to an endpoint with `isActive: false`. Set it to true with PATCH, and repeat the request.',
  },
  webhook_delivery_not_retryable: {
    status: 409,
    title: 'Delivery not retryable',
    help: 'The delivery succeeded or is in flight. You can retry only a pending, failed or cancelled delivery.',
  },
  webhook_event_closed: {
    status: 409,
    title: 'Event not available to the endpoint',
    help: 'The endpoint of an API client gets only events that the client can read. The client must be active, have no folder restrictions, and hold the scope of the event. Give the client that scope, or register an endpoint of the team.',
  },
  webhook_event_not_found: {
    status: 422,
    title: 'Event type not found',
    help: 'No event has this type. It differs from a known type by at most two letters, so it is probably misspelled. `errors` has the known type. `GET /api/v1/webhooks/event-types` lists all types.',
  },
  webhook_payload_deleted: {
    status: 409,
    title: 'Delivery payload expunged',
    help: 'The payload of the delivery was deleted permanently, so it cannot be sent. The log of its attempts is kept.',
  },
  url_not_allowed: {
    status: 422,
    title: 'Webhook URL not allowed',
    help: 'A webhook needs a public https address without credentials or a fragment in the URL. `detail` has the broken rule. The operator of the service can allow private addresses.',
  },
});
