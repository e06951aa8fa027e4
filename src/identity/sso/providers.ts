import { createRemoteJWKSet, customFetch, type CompactVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';

/** The part of `fetch` that the protocol needs. */
export type ProviderFetch = (url: string, init: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<Response>;

export type Client = { id: string; version: number; issuer: string; clientId: string; clientSecret: string };

/** What is known of the providers of all teams; their metadata and keys are read when first needed, and kept for a while. */
export type Providers = {
  /** Rejects when the provider cannot be reached or what it publishes cannot be used. */
  of(client: Client): Promise<Provider>;
};

/** One provider, as a connection of a team reaches it. */
export type Provider = {
  configuration: Configuration;
  /** The published keys that sign its ID tokens. */
  keys: CompactVerifyGetKey;
};

const keptMs = 600_000;
/** A provider that failed is not asked again for every browser that comes. */
const failedMs = 5_000;
const timeoutSeconds = 10;
/** How long published keys are used without another look. A token with an unknown `kid` has them fetched at once, so often a minute. */
const keysKeptMs = 300_000;
const maxKeyFetches = 6;

/** A provider, or a part of it, could not be reached, says that it is not able to answer, or sent more than is taken. */
export class UnreachableProvider extends Error {}

/** The library of the protocol, loaded at the first sign-in through a provider. */
export const openid = () => import('openid-client');

export function createProviders({ fetch, allowHttp, now }: { fetch: ProviderFetch; allowHttp: boolean; now: () => number }): Providers {
  const known = new LRUCache<string, Promise<Provider>>({ max: 500, ttl: keptMs });

  const reach: ProviderFetch = (url, init) =>
    fetch(url, init)
      .then((answer) => {
        // The provider reports that it cannot answer now. This is neither a rejected answer nor a failure of the person.
        if (answer.status >= 500) throw new Error(`a provider answered ${answer.status}`);
        return answer;
      })
      .catch((cause: unknown) => {
        throw new UnreachableProvider('a provider was not reached', { cause });
      });

  async function discover({ issuer, clientId, clientSecret }: Client): Promise<Provider> {
    const client = await openid();
    const send: NonNullable<Configuration[typeof client.customFetch]> = (url, { method, headers, body }) =>
      // The token endpoint takes a form; nothing else is sent with a body.
      reach(url, { method, headers, ...(body instanceof URLSearchParams ? { body: body.toString() } : {}) });
    // As kept with the metadata, for some minutes: what a clock gains in those is within what is put up with.
    const judged = { [client.clockSkew]: Math.round((now() - Date.now()) / 1_000) };
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      timeout: timeoutSeconds,
      [client.customFetch]: send,
      ...(allowHttp ? { execute: [client.allowInsecureRequests] } : {}),
    });
    const metadata = found.serverMetadata();
    // Basic is what a provider takes that says nothing (OpenID Connect Discovery §3).
    const ways = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = ways.includes('client_secret_basic')
      ? client.ClientSecretBasic(clientSecret)
      : client.ClientSecretPost(clientSecret);
    const configuration = new client.Configuration(metadata, clientId, judged, authenticate);
    configuration[client.customFetch] = send;
    configuration.timeout = timeoutSeconds;
    if (allowHttp) client.allowInsecureRequests(configuration);
    return { configuration, keys: keysAt(metadata.jwks_uri) };
  }

  /** The keys at an address. A token with an unknown `kid` comes with a new key: they are fetched again, within a limit. */
  function keysAt(address: string | undefined): CompactVerifyGetKey {
    const url = URL.parse(address ?? '');
    if (!url || !(allowHttp || url.protocol === 'https:')) throw new UnreachableProvider('a provider publishes no keys');
    let fetched: number[] = [];
    return createRemoteJWKSet(url, {
      cooldownDuration: 0,
      cacheMaxAge: keysKeptMs,
      timeoutDuration: timeoutSeconds * 1_000,
      [customFetch]: async (target, { method, headers }) => {
        const at = now();
        fetched = [...fetched.filter((before) => Math.abs(at - before) < 60_000), at];
        if (fetched.length > maxKeyFetches) throw new UnreachableProvider('the keys of a provider were fetched too often');
        return reach(target, { method, headers: Object.fromEntries(headers) });
      },
    });
  }

  return {
    of(client) {
      const key = `${client.id} ${client.version}`;
      const kept = known.get(key);
      if (kept) return kept;
      const found = discover(client);
      known.set(key, found);
      found.catch(() => known.set(key, found, { ttl: failedMs }));
      return found;
    },
  };
}
