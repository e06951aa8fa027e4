import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { problems } from '../problems.ts';
import { longAnswer } from './streamed-responses.ts';

/** The maximum number of open streams of a person, on each node and for each operation. */
const maxOfPerson = 10;

/** Counts the open event streams of each person on this node. */
export class StreamCount {
  readonly #counts = new Map<string, number>();

  /** Counts one more stream of a person. Returns a function that ends the count. Errors: 429. */
  enter(person: string): () => void {
    const count = this.#counts.get(person) ?? 0;
    if (count >= maxOfPerson) {
      throw problems.rate_limited('You already have ten of these event streams, which is the maximum. Close one of them first.', {
        headers: { 'retry-after': '10' },
      });
    }
    this.#counts.set(person, count + 1);
    return () => {
      const left = (this.#counts.get(person) ?? 1) - 1;
      if (left === 0) this.#counts.delete(person);
      else this.#counts.set(person, left);
    };
  }
}

/** The header with which a client continues a stream (HTML, section 9.2.4). */
export const lastEventHeader = Type.Object({
  'last-event-id': Type.Optional(Type.String({ description: 'The number of the last received event; the stream continues after it' })),
});

/** Returns the number of the last event that the client has. An invalid number counts as none. */
export function lastEventOf({ headers }: FastifyRequest): number | undefined {
  const given = headers['last-event-id'];
  return typeof given === 'string' && /^\d{1,9}$/.test(given) ? Number(given) : undefined;
}

/** Whether the client follows the stream. Otherwise the response ends after the existing events. */
export const acceptsEvents = ({ headers }: FastifyRequest): boolean => headers.accept?.includes('text/event-stream') === true;

/** Sends an event stream, while the credential of the request is valid. */
export const sendEvents = (request: FastifyRequest, reply: FastifyReply, events: AsyncIterable<string>): FastifyReply =>
  reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
    .send(longAnswer(request, events));
