import type { CallToolResult } from '@modelcontextprotocol/client';
import type { GuardedStream } from '#webhooks';
import { boundedFetch, type LookAt, type ExchangeOutcome } from './bounded-fetch.ts';
import { RemoteFailure } from './failure.ts';
import { most } from './limits.ts';

/** The address of a server and the credential header. `signedIn` is true if a sign-in provided the credential. */
export type Target = { url: string; header?: { name: string; value: string }; signedIn?: boolean };

/** The result of a call: text, and whether the server reports a failure. */
export type RemoteAnswer = { text: string; failed: boolean };

/** One exchange with a server: it can list the tools and call them. */
export type Exchange = {
  list: () => Promise<unknown[]>;
  call: (name: string, input: Record<string, unknown>) => Promise<RemoteAnswer>;
};
export type AskRemote = <T>(target: Target, signal: AbortSignal, work: (exchange: Exchange) => Promise<T>) => Promise<T>;

// Skips the output schemas of the server: this process would execute the patterns in them.
const takesAll = { getValidator: () => (input: unknown) => ({ valid: true as const, data: input as never, errorMessage: undefined }) };

/**
 * Returns a function for exchanges with external servers. It loads the official package at its first use.
 * Each exchange has a separate connection, and offers no capabilities: no sampling, no elicitation, no roots.
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
      // Ends open response streams of the server.
      await client.close().catch(() => undefined);
    }
  };
}

/**
 * Maps a rejection to `sign_in_needed` or `refused`. `sign_in_needed` means that the tokens of a sign-in are no longer valid. It also means that the
 * server names its metadata while no other credential is set.
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

/** Converts the result of a call to text for a model. For parts that are not text, it contains only the type. */
function answerOf({ content, structuredContent, isError }: CallToolResult): RemoteAnswer {
  const parts = content.map((part) => (part.type === 'text' ? part.text : `[${part.type}: not displayed]`));
  const text = parts.length === 0 && structuredContent !== undefined ? JSON.stringify(structuredContent) : parts.join('\n');
  return { text, failed: isError === true };
}
