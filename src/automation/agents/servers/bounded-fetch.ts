import { errorCode, type GuardedStream } from '#webhooks';
import { type Challenge, type Failure, RemoteFailure } from './failure.ts';
import { most } from './limits.ts';

/** What went wrong first in an exchange, and where its server says that one signs in. */
export type ExchangeOutcome = { failure?: Failure; challenge?: Challenge };

/** What is made of an answer by its status, before it is read: a rejection ends the exchange. */
export type LookAt = (answer: Response, seen: ExchangeOutcome) => Failure | undefined;

/** A `fetch` for one exchange, bounded in requests, bytes and time, which notes what went wrong first. */
export function boundedFetch(guarded: GuardedStream, signal: AbortSignal, seen: ExchangeOutcome, lookAt: LookAt): typeof globalThis.fetch {
  let left: number = most.requests;
  const fail = (code: Failure): never => {
    seen.failure ??= code;
    throw new RemoteFailure(code);
  };
  return async (input, init = {}) => {
    left -= 1;
    if (left < 0) fail('too_many_requests');
    const either = AbortSignal.any([signal, ...(init.signal ? [init.signal] : [])]);
    let answer: Response;
    try {
      // The guard sends texts; forms of tokens come as what writes one.
      const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
      answer = await guarded.fetch(input, { ...init, ...(body === undefined ? {} : { body }), signal: either });
    } catch (error) {
      if (either.aborted) throw error;
      const { error: code } = errorCode(error);
      return fail(code === 'blocked_address' ? 'address_not_allowed' : code === 'timeout' ? 'timeout' : 'unreachable');
    }
    const { status, body } = answer;
    const failure = status >= 300 && status < 400 ? 'redirected' : lookAt(answer, seen);
    if (failure !== undefined) return fail(failure);
    let bytes = 0;
    const counted = body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.byteLength;
          if (bytes <= most.answerBytes) return controller.enqueue(chunk);
          seen.failure ??= 'answer_too_large';
          controller.error(new RemoteFailure('answer_too_large'));
        },
      }),
    );
    return new Response(counted ?? null, { status, headers: answer.headers });
  };
}
