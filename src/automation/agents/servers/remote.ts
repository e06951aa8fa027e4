import type { CallToolResult } from '@modelcontextprotocol/client';
import type { GuardedStream } from '#webhooks';
import { boundedFetch, type LookAt, type ExchangeOutcome } from './bounded-fetch.ts';
import { RemoteFailure } from './failure.ts';
import { most } from './limits.ts';

/** Where a server is, and what it is called with; `signedIn` where that came of signing in there. */
export type Target = { url: string; header?: { name: string; value: string }; signedIn?: boolean };

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
    const seen: ExchangeOutcome = {};
    const client = new sdk.Client(
      { name: 'chancery', version },
      { versionNegotiation: { mode: 'auto' }, capabilities: {}, jsonSchemaValidator: takesAll, listMaxPages: most.pages },
    );
    const transport = new sdk.StreamableHTTPClientTransport(new URL(target.url), {
      fetch: boundedFetch(guarded, signal, seen, lookAt(sdk, target)),
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
      throw new RemoteFailure(seen.failure ?? (signal.aborted ? 'timeout' : 'bad_answer'), seen.challenge);
    } finally {
      // Ends what the server still streams.
      await client.close().catch(() => undefined);
    }
  };
}

/**
 * Who is refused is to sign in, where the server says so and nobody has given another credential for it, or where what came of signing in is
 * good no more.
 */
const lookAt =
  (sdk: typeof import('@modelcontextprotocol/client'), { header, signedIn }: Target): LookAt =>
  (answer, seen) => {
    if (answer.status !== 401 && answer.status !== 403) return undefined;
    const { resourceMetadataUrl, scope } = sdk.extractWWWAuthenticateParams(answer);
    seen.challenge ??= { ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}), ...(scope === undefined ? {} : { scope }) };
    const asksToSignIn = signedIn === true || (header === undefined && resourceMetadataUrl !== undefined);
    return answer.status === 401 && asksToSignIn ? 'sign_in_needed' : 'refused';
  };

/** What a model is shown of an answer: its texts; of other parts only which kind they are. */
function answerOf({ content, structuredContent, isError }: CallToolResult): RemoteAnswer {
  const parts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}, which is not shown]`));
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n');
  return { text, failed: isError === true };
}
