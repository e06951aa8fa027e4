import type { CallToolResult } from '@modelcontextprotocol/client';
import { errorCode, type GuardedStream } from '#webhooks';
import { most } from './limits.ts';

/** Where a server is, and what it is called with. */
export type Target = { url: string; header?: { name: string; value: string } };

export const failures = [
  'address_not_allowed',
  'unreachable',
  'timeout',
  'redirected',
  'refused',
  'answer_too_large',
  'too_many_requests',
  'bad_answer',
] as const;
export type Failure = (typeof failures)[number];

/** A server elsewhere did not do what it was asked; `code` says why, and nothing of what it has answered. */
export class RemoteFailure extends Error {
  readonly code: Failure;
  constructor(code: Failure) {
    super(`the server did not answer as the protocol has it: ${code}`);
    this.code = code;
  }
}

/** What a call answers with: text, and whether the server says that it failed. */
export type RemoteAnswer = { text: string; failed: boolean };

/** One exchange with a server: what it has, and calls of it. */
export type Exchange = {
  list: () => Promise<unknown[]>;
  call: (name: string, input: Record<string, unknown>) => Promise<RemoteAnswer>;
};
export type AskRemote = <T>(target: Target, signal: AbortSignal, work: (exchange: Exchange) => Promise<T>) => Promise<T>;

// What a server says of its answers is not checked here: a pattern of its making would be run by this process.
const takesAll = { getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }) };

/**
 * Asks servers elsewhere by the official package, which is loaded with the first question. Each exchange is a connection of its own, in
 * which this side offers nothing: no sampling, no elicitation, no roots.
 */
export function createAskRemote(guarded: GuardedStream, version: string, callMs: number = most.callMs): AskRemote {
  return async (target, outer, work) => {
    const sdk = await import('@modelcontextprotocol/client');
    const signal = AbortSignal.any([outer, AbortSignal.timeout(callMs)]);
    const seen: { failure?: Failure } = {};
    const client = new sdk.Client(
      { name: 'chancery', version },
      { versionNegotiation: { mode: 'auto' }, capabilities: {}, jsonSchemaValidator: takesAll, listMaxPages: most.pages },
    );
    const transport = new sdk.StreamableHTTPClientTransport(new URL(target.url), {
      fetch: boundedFetch(guarded, signal, seen),
      requestInit: { redirect: 'error', headers: target.header ? { [target.header.name]: target.header.value } : {} },
      reconnectionOptions: { maxRetries: 0, initialReconnectionDelay: 1, maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
    });
    const options = { signal, timeout: callMs };
    try {
      await client.connect(transport, options);
      return await work({
        list: async () => (await client.listTools({}, options)).tools,
        call: async (name, input) => answerOf(await client.callTool({ name, arguments: input }, options)),
      });
    } catch {
      outer.throwIfAborted();
      throw new RemoteFailure(seen.failure ?? (signal.aborted ? 'timeout' : 'bad_answer'));
    } finally {
      // Ends what the server still streams.
      await client.close().catch(() => undefined);
    }
  };
}

/** A `fetch` for one exchange, bounded in requests, bytes and time, which notes what went wrong first. */
function boundedFetch(guarded: GuardedStream, signal: AbortSignal, seen: { failure?: Failure }): typeof globalThis.fetch {
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
      answer = await guarded.fetch(input, { ...init, signal: either });
    } catch (error) {
      if (either.aborted) throw error;
      const { error: code } = errorCode(error);
      return fail(code === 'blocked_address' ? 'address_not_allowed' : code === 'timeout' ? 'timeout' : 'unreachable');
    }
    const { status, body } = answer;
    if (status >= 300 && status < 400) return fail('redirected');
    if (status === 401 || status === 403) return fail('refused');
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

/** What a model is shown of an answer: its texts; of other parts only which kind they are. */
function answerOf({ content, structuredContent, isError }: CallToolResult): RemoteAnswer {
  const parts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}, which is not shown]`));
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n');
  return { text, failed: isError === true };
}
