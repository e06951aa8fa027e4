import type { Ask } from '../suggestion.ts';
import { itemsOf, membersOf, type ProviderClient, ProviderError, suggestionOf } from './http-client.ts';

/** JSON pointers (RFC 6901) to the parts of suggestions: `items` in the response, the others in each item. */
export type Mapping = { items: string; value: string; unrestrictedValue?: string; data?: string };

const members = new Set(['items', 'value', 'unrestrictedValue', 'data']);
const pointer = /^(?:\/(?:[^~/]|~[01])*)*$/;

/** Parses the mapping from the settings. Throws an error with a message for the operator. */
export function parseMapping(text: string): Mapping {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    read = undefined;
  }
  const entries = Object.entries(membersOf(read));
  const known = entries.every(([name, value]) => members.has(name) && typeof value === 'string' && pointer.test(value));
  const names = new Set(entries.map(([name]) => name));
  if (!known || !names.has('items') || !names.has('value'))
    throw new Error(
      'must be JSON pointers in a JSON object with `items` and `value`, and optionally `unrestrictedValue` and `data`, such as {"items": "/results", "value": "/label"}',
    );
  return read as Mapping;
}

function follow(value: unknown, path: string): unknown {
  let at = value;
  for (const part of path.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

/** Creates a provider with a JSON response to a GET request. Its URL has the placeholders `{q}`, `{count}` and `{locale}`. */
export function mapped(client: ProviderClient, address: string, mapping: Mapping): Ask {
  return async ({ text, count, locale }, signal) => {
    const values: Record<string, string> = { q: text, count: String(count), locale };
    const url = address.replaceAll(/\{(q|count|locale)\}|%7B(q|count|locale)%7D/gi, (_, plain?: string, encoded?: string) =>
      encodeURIComponent(values[plain ?? encoded ?? ''] ?? ''),
    );
    const answer = await client.json(new URL(url), { signal });
    const items = follow(answer, mapping.items);
    if (items === undefined) throw new ProviderError(`the response of the provider has no value at ${mapping.items}`);
    return itemsOf(items).flatMap((item) =>
      suggestionOf(
        follow(item, mapping.value),
        mapping.unrestrictedValue === undefined ? undefined : follow(item, mapping.unrestrictedValue),
        mapping.data === undefined ? {} : follow(item, mapping.data),
      ),
    );
  };
}
