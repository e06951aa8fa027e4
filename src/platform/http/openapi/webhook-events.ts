import type { Json } from './schemas.ts';

/** An event type in the API description, with the schema and an example of its envelope. */
export type AnnouncedEvent = { type: string; description: string; scope?: string; schema: unknown; example: unknown };

const text = { type: 'string' };

/** The headers of a delivery, besides those that the endpoint configures. */
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
  description: 'The same signature with the previous secret, during a rotation in which both sign',
  schema: text,
};

const pascal = (name: string): string =>
  name
    .split(/[._]/)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('');

/** Returns the `webhooks` section of the API description, with one entry per event type. */
export function describeDeliveries(events: readonly AnnouncedEvent[]): Json {
  const described = events.map(({ type, description, scope, schema, example }) => [
    type,
    {
      post: {
        operationId: `on${pascal(type)}`,
        summary: description,
        description:
          scope === undefined
            ? 'Sent to each endpoint that subscribes to it.'
            : `Sent to endpoints that explicitly subscribe to it. This requires the scope \`${scope}\`.`,
        tags: ['Webhooks'],
        security: [],
        parameters: [...headers, previous],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { title: `${pascal(type)}Event`, ...(schema as Json) }, example } },
        },
        responses: {
          '2XX': { description: 'Accepted. Any other response, or none in time, leads to another attempt' },
          '410': { description: 'No longer accepted: the endpoint is disabled' },
        },
      },
    },
  ]);
  return Object.fromEntries(described);
}
