import { errorCode, type GuardedStream } from '#webhooks';
import { type Challenge, type Failure, RemoteFailure } from './failure.ts';
import { most } from './limits.ts';

/** The first failure of an exchange, and the sign-in challenge of the server. */
export type ExchangeOutcome = { failure?: Failure; challenge?: Challenge };

/** Checks the status of a response before the body is read. If it returns a failure, the exchange ends. */
export type LookAt = (answer: Response, seen: ExchangeOutcome) => Failure | undefined;

/** Returns a `fetch` for one exchange with limits for requests, bytes and time. It records the first failure in `seen`. */
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
      // The guarded fetch sends only texts, but the MCP package passes token requests as `URLSearchParams`.
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
