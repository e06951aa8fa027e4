import { LRUCache } from 'lru-cache';
import type { ConnectedApp } from './context.ts';
import { mayBeNamed } from './redirects.ts';
import { cleanName } from './names.ts';

const maxBytes = 16 * 1024;
const maxLength = 300;
const keptMs = 5 * 60_000;

/**
 * Whether a `client_id` is the address of a metadata document (Client ID
 * Metadata Documents): https, with a path, and without ambiguous characters.
 */
export function isDocumentAddress(id: string, allowHttp: boolean): boolean {
  if (id.length > maxLength || !/^https?:\/\/[\x21-\x7e]+$/.test(id) || id.includes('#') || id.includes('\\')) return false;
  const url = URL.parse(id);
  if (!url || url.href !== id || url.pathname === '/' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || allowHttp;
}

/** Parses a metadata document. Returns undefined if it is invalid, has no name, belongs to another address, or describes an app with a secret. */
export function parseClientDocument(address: string, text: string): ConnectedApp | undefined {
  let said: unknown;
  try {
    said = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  const {
    client_id: id,
    client_name: name,
    redirect_uris: uris,
    token_endpoint_auth_method: method = 'none',
  } = said as Record<string, unknown>;
  if (id !== address || method !== 'none' || 'client_secret' in said) return undefined;
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > 20) return undefined;
  const redirectUris = uris.filter((uri): uri is string => typeof uri === 'string' && mayBeNamed(uri));
  if (redirectUris.length === 0) return undefined;
  const clean = cleanName(name);
  return clean === undefined ? undefined : { id: address, name: clean, redirectUris };
}

/**
 * Reads metadata documents of apps. Connections reach only public addresses and follow no redirects. A document is cached for five minutes, or for
 * less if its server says so. `mayFetch` rejects if requests from this network have caused too many fetches.
 */
export function openDocuments(
  fetch: (url: string) => Promise<Response>,
  allowHttp: boolean,
): (address: string, mayFetch: () => Promise<void>) => Promise<ConnectedApp | undefined> {
  const known = new LRUCache<string, ConnectedApp>({ max: 500, ttl: keptMs });
  return async (address, mayFetch) => {
    if (!isDocumentAddress(address, allowHttp)) return undefined;
    const kept = known.get(address);
    if (kept) return kept;
    await mayFetch();
    // Failures are not cached, so that the next try can succeed.
    const found = await read(fetch, address);
    if (found && found.keepMs > 0) known.set(address, found.connectedApp, { ttl: found.keepMs });
    return found?.connectedApp;
  };
}

/** How long a response may be cached, by its `Cache-Control` (RFC 9111 §5.2). */
export function keptFor(cacheControl: string | null): number {
  const said = (cacheControl ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(said)) return 0;
  const seconds = /\bmax-age="?(\d{1,9})\b/.exec(said)?.[1];
  return seconds === undefined ? keptMs : Math.min(keptMs, Number(seconds) * 1_000);
}

type Read = { connectedApp: ConnectedApp; keepMs: number };

async function read(fetch: (url: string) => Promise<Response>, address: string): Promise<Read | undefined> {
  try {
    const answer = await fetch(address);
    if (answer.status !== 200 || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '')) return undefined;
    const bytes = await answer.arrayBuffer();
    const connectedApp = bytes.byteLength > maxBytes ? undefined : parseClientDocument(address, Buffer.from(bytes).toString());
    return connectedApp && { connectedApp, keepMs: keptFor(answer.headers.get('cache-control')) };
  } catch {
    // All errors have the same result: no app.
    return undefined;
  }
}
