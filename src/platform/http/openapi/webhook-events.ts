import type { Json } from './schemas.ts';

/** A type of event as the description shows it: the shape of its envelope, and one. */
export type AnnouncedEvent = { type: string; description: string; scope?: string; schema: unknown; example: unknown };

const text = { type: 'string' };

/** The headers of a delivery, beside those that the endpoint's owner has set. */
const headers = Object.entries({
  'X-Service-Signature': '`v1=` and the HMAC-SHA256 of `<timestamp>.<raw body>` in hexadecimal, keyed by the whole secret as text',
  'X-Service-Timestamp': 'Unix time of sending, in seconds; reject deliveries older than five minutes',
  'X-Service-Event-Id': 'The event identifier, the same for each attempt; use it to detect repetitions',
  'X-Service-Event-Type': 'The type of the event',
}).map(([name, description]) => ({ name, in: 'header', required: true, description, schema: text }));
const previous = {
  name: 'X-Service-Signature-Previous',
  in: 'header',
  required: false,
  description: 'The same by the secret before, for as long as a rotation lets both sign',
  schema: text,
};

const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** The section `webhooks` of the description: what endpoints are sent, event by event. */
export function describeDeliveries(events: readonly AnnouncedEvent[]): Json {
  const described = events.map(({ type, description, scope, schema, example }) => [
    type,
    {
      post: {
        operationId: `on${pascal(type)}`,
        summary: description,
        description:
          scope === undefined
            ? 'Sent to each endpoint that listens.'
            : `Sent to endpoints that name it, which takes the scope \`${scope}\`.`,
        tags: ['Webhooks'],
        security: [],
        parameters: [...headers, previous],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { title: `${pascal(type)}Event`, ...(schema as Json) }, example } },
        },
        responses: {
          '2XX': { description: 'Taken. Anything else, and no answer in time, is tried again' },
          '410': { description: 'Taken no more: the endpoint is switched off' },
        },
      },
    },
  ]);
  return Object.fromEntries(described);
}
