import type { Ask } from '../suggestion.ts';
import { itemsOf, membersOf, type ProviderClient, suggestionOf } from './http-client.ts';

/** Suggestions of DaData. Their format is the same as that of this API. */
export function dadata(client: ProviderClient, base: string): Ask {
  const url = new URL(`${base}/suggestions/api/4_1/rs/suggest/address`);
  return async ({ text, count, locale }, signal) => {
    const body = { query: text, count, language: locale.startsWith('ru') ? 'ru' : 'en' };
    const { suggestions } = membersOf(await client.json(url, { signal, body }));
    return itemsOf(suggestions).flatMap((item) => {
      const { value, unrestricted_value: full, data } = membersOf(item);
      return suggestionOf(value, full, data);
    });
  };
}
