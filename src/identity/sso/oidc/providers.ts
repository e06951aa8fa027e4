import { createRemoteJWKSet, customFetch, type CompactVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Configuration } from 'openid-client';

/** The part of `fetch` that the protocol needs. */
export type ProviderFetch = (url: string, init: { method?: string; headers?: Record<string, string>; body?: string }) => Promise<Response>;

export type Client = { id: string; version: number; issuer: string; clientId: string; clientSecret: string };

/** The providers of all teams. Their metadata and keys are loaded on demand and cached. */
export type Providers = {
  /** Rejects if the provider is unreachable or its metadata is invalid. */
  of(client: Client): Promise<Provider>;
};

/** A provider as used by one connection. */
export type Provider = {
  configuration: Configuration;
  /** The published keys of the provider that verify its ID tokens. */
  keys: CompactVerifyGetKey;
};

const keptMs = 600_000;
/** Milliseconds before Chancery contacts a failed provider again, so that not every sign-in causes a request. */
const failedMs = 5_000;
const timeoutSeconds = 10;
/** Milliseconds that keys are cached. A token with an unknown `kid` causes an immediate fetch, at most `maxKeyFetches` times a minute. */
const keysKeptMs = 300_000;
const maxKeyFetches = 6;

/** Thrown if the provider is unreachable, reports that it cannot respond, or sent too large a response. */
export class UnreachableProvider extends Error {}

/** Loads the protocol library at the first sign-in through a provider. */
export const openid = () => import('openid-client');

export function createProviders({ fetch, allowHttp, now }: { fetch: ProviderFetch; allowHttp: boolean; now: () => number }): Providers {
  const known = new LRUCache<string, Promise<Provider>>({ max: 500, ttl: keptMs });

  const reach: ProviderFetch = (url, init) =>
    fetch(url, init)
      .then((answer) => {
        // The provider reports that it cannot respond now. This is neither a rejection nor an error of the user.
        if (answer.status >= 500) throw new Error(`a provider answered ${answer.status}`);
        return answer;
      })
      .catch((cause: unknown) => {
        throw new UnreachableProvider('a provider is unreachable', { cause });
      });

  async function discover({ issuer, clientId, clientSecret }: Client): Promise<Provider> {
    const client = await openid();
    const send: NonNullable<Configuration[typeof client.customFetch]> = (url, { method, headers, body }) =>
      // Only the token endpoint receives a body, which is a form.
      reach(url, { method, headers, ...(body instanceof URLSearchParams ? { body: body.toString() } : {}) });
    // Cached with the metadata for some minutes. The clock drift in that time is within the tolerance.
    const judged = { [client.clockSkew]: Math.round((now() - Date.now()) / 1_000) };
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      timeout: timeoutSeconds,
      [client.customFetch]: send,
      ...(allowHttp ? { execute: [client.allowInsecureRequests] } : {}),
    });
    const metadata = found.serverMetadata();
    // Basic is the default of providers that publish no method (OpenID Connect Discovery §3).
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

  /** Returns the keys at an address. A token with an unknown `kid` may have a new key, so they are fetched again, within a limit. */
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
