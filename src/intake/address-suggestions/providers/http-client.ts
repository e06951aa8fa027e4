import { Agent } from 'undici';
import type { Suggestion } from '../suggestion.ts';

const maxBytes = 1024 * 1024;
const maxText = 500;
const maxData = 8 * 1024;

/** A provider that did not answer as it should. */
export class ProviderError extends Error {
  override name = 'ProviderError';
}

export type ProviderClient = {
  /** The answer to a request, read as JSON. Rejects for anything but 200 with JSON of 1 MiB at most; redirects are not followed. */
  json(url: URL, options: { signal: AbortSignal; body?: unknown }): Promise<unknown>;
  close(): Promise<void>;
};

/** The connections to the provider. Of the visitor nothing is sent: these headers are all. */
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
      if (answer.statusCode !== 200) throw new ProviderError(`the provider answered with ${answer.statusCode}`);
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

/** The members of what should be an object; none of what is none. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** The items of what must be a list. */
export function itemsOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new ProviderError('the response of the provider is not a list');
  return value;
}

/** A text of a provider as a visitor may be shown it: one line, without what cannot be seen. */
export function lineOf(value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number') return '';
  return String(value)
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069\s]+/gu, ' ')
    .trim()
    .slice(0, maxText)
    .toWellFormed();
}

/** A suggestion, unless there is nothing to put into the field. Data of more than 8 KiB are left out. */
export function suggestionOf(value: unknown, unrestricted: unknown, data: unknown): Suggestion[] {
  const text = lineOf(value);
  if (text === '') return [];
  const members = membersOf(data);
  return [{ value: text, unrestrictedValue: lineOf(unrestricted) || text, data: JSON.stringify(members).length > maxData ? {} : members }];
}
