import { LRUCache } from 'lru-cache';
import type { Program } from './context.ts';
import { mayBeNamed } from './redirects.ts';
import { cleanName } from './names.ts';

const mostBytes = 16 * 1024;
const mostLength = 300;
const keptMs = 5 * 60_000;
/** One that could not be read is not asked for again at once. */
const failedMs = 30_000;

/** Whether a `client_id` is the address of a document (Client ID Metadata Documents): https, with a path, and nothing that could be read in two ways. */
export function isDocumentAddress(id: string, allowHttp: boolean): boolean {
  if (id.length > mostLength || !/^https?:\/\/[\x21-\x7e]+$/.test(id) || id.includes('#') || id.includes('\\')) return false;
  const url = URL.parse(id);
  if (!url || url.href !== id || url.pathname === '/' || url.username !== '' || url.password !== '') return false;
  return url.protocol === 'https:' || allowHttp;
}

/** What a document says of its program; nothing where it is none, or is of another address, or of a program that has a secret. */
export function programOf(address: string, text: string): Program | undefined {
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
  return { id: address, name: cleanName(name) ?? new URL(address).host, redirectUris };
}

/**
 * Reads the documents of programs, through connections that reach public addresses alone and follow nothing; each is believed for five
 * minutes. `mayFetch` rejects where whoever asks has had too many fetched.
 */
export function openDocuments(
  fetch: (url: string) => Promise<Response>,
  allowHttp: boolean,
): (address: string, mayFetch: () => Promise<void>) => Promise<Program | undefined> {
  const known = new LRUCache<string, { program: Program | undefined }>({ max: 500, ttl: keptMs });
  return async (address, mayFetch) => {
    if (!isDocumentAddress(address, allowHttp)) return undefined;
    const kept = known.get(address);
    if (kept) return kept.program;
    await mayFetch();
    const program = await read(fetch, address);
    known.set(address, { program }, { ttl: program ? keptMs : failedMs });
    return program;
  };
}

async function read(fetch: (url: string) => Promise<Response>, address: string): Promise<Program | undefined> {
  try {
    const answer = await fetch(address);
    if (answer.status !== 200 || !/^application\/(?:[\w.+-]+\+)?json\b/i.test(answer.headers.get('content-type') ?? '')) return undefined;
    const bytes = await answer.arrayBuffer();
    return bytes.byteLength > mostBytes ? undefined : programOf(address, Buffer.from(bytes).toString());
  } catch {
    // Whatever is wrong with what is there, there is no program to ask about.
    return undefined;
  }
}
