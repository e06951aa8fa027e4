import { Agent } from 'undici';
import type { Suggestion } from '../suggestion.ts';

const maxBytes = 1024 * 1024;
const maxText = 500;
const maxData = 8 * 1024;

/** Thrown for an invalid response of a provider. */
export class ProviderError extends Error {
  override name = 'ProviderError';
}

export type ProviderClient = {
  /**
   * Sends a request and parses the response as JSON. Rejects unless the status is 200 and the body has at most 1 MiB. It does not follow redirects.
   */
  json(url: URL, options: { signal: AbortSignal; body?: unknown }): Promise<unknown>;
  close(): Promise<void>;
};

/** Creates the HTTP client of a provider. It sends only these headers, and no data of the visitor. */
export function createProviderClient({ authorization, version }: { authorization: string | undefined; version: string }): ProviderClient {
  const agent = new Agent({ connections: 16, keepAliveTimeout: 10_000, maxResponseSize: maxBytes });
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'user-agent': `Chancery/${version}`,
    ...(authorization === undefined ? {} : { authorization }),
  };
  return {
    async json(url, { signal, body }) {
      const answer = await agent.request({
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal,
      });
      const text = await answer.body.text();
      if (answer.statusCode !== 200) throw new ProviderError(`the provider responded with status ${answer.statusCode}`);
      try {
        return JSON.parse(text) as unknown;
      } catch {
        throw new ProviderError('the response of the provider is not JSON');
      }
    },
    close: () => agent.destroy(),
  };
}

type Members = Record<string, unknown>;

/** Returns a value if it is an object, and otherwise an empty object. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** Returns a value if it is a list. Throws {@link ProviderError} otherwise. */
export function itemsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ProviderError('the response of the provider is not a list');
  return value;
}

/** Cleans a text of a provider: one line, without invisible characters. */
export function lineOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value)
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .slice(0, maxText)
    .toWellFormed();
}

/** Builds a suggestion, unless its text is empty. Leaves out data of more than 8 KiB. */
export function suggestionOf(value: unknown, unrestricted: unknown, data: unknown): Suggestion[] {
  const text = lineOf(value);
  if (text === '') return [];
  const members = membersOf(data);
  return [{ value: text, unrestrictedValue: lineOf(unrestricted) || text, data: JSON.stringify(members).length > maxData ? {} : members }];
}
