import { defineProblems } from '../../platform/problems.ts';

export const webhookProblems = defineProblems({
  webhook_endpoint_limit: {
    status: 409,
    title: 'The team has as many webhook endpoints as it can',
    help: 'A team has at most 50 webhook endpoints, inactive ones included. Delete one that is no longer used, or let one endpoint take several event types.',
  },
  webhook_endpoint_inactive: {
    status: 409,
    title: 'The webhook endpoint is not active',
    help: 'Nothing is sent to an endpoint whose `isActive` is false. Set it to true with PATCH and repeat the request.',
  },
  webhook_delivery_not_retryable: {
    status: 409,
    title: 'The delivery needs no retry',
    help: 'The delivery has arrived, or it is being sent at this moment. Only one that waits, failed or was cancelled can be sent again.',
  },
  webhook_event_closed: {
    status: 409,
    title: 'The endpoint may not get such events',
    help: 'An endpoint of an API client gets the events that the client may read about: it must be switched on, not be confined to folders, and hold the scope to read. Give the client that scope, or register an endpoint of the team.',
  },
  webhook_event_not_found: {
    status: 422,
    title: 'Event type unknown',
    help: 'No event has this type, and it differs from a known one by at most two letters. `errors` names the known type. `GET /api/v1/webhooks/event-types` lists all.',
  },
  webhook_payload_deleted: {
    status: 409,
    title: 'The payload of the delivery was expunged',
    help: 'What the delivery carried was removed for good, so there is nothing to send. The log of its attempts is kept.',
  },
  url_not_allowed: {
    status: 422,
    title: 'The URL cannot be a webhook target',
    help: 'Webhooks go to public https addresses, without credentials or a fragment in the URL. `detail` says which rule the URL breaks; a private address can be allowed by the operator of the service.',
  },
});
