import type { PlatformConfig } from '../../platform/config.ts';
import { ConfigError, integer, oneOf, optional, secret, setting, type ValuesOf } from '../../platform/settings.ts';
import { type Mapping, parseMapping } from './providers/index.ts';

/** Validates a URL with path and query, and removes a slash at its end. */
function address(value: string): string | undefined {
  if (value === '') return undefined;
  const url = URL.canParse(value.replaceAll(/[{}]/g, 'x')) ? new URL(value.replaceAll(/[{}]/g, 'x')) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || `${url.hash}${url.username}${url.password}` !== '')
    throw new Error('must be an http or https URL without a user name, such as https://photon.example.com');
  return value.replace(/\/$/, '');
}

function header(value: string): string | undefined {
  if (/^[\x20-\x7e]{0,1000}$/.test(value)) return optional(value);
  throw new Error('must be a header value in ASCII');
}

/** The settings of this domain. */
export const suggestionSettings = {
  SUGGEST_PROVIDER: setting(
    'the provider of address suggestions: gazetteer (bundled countries and cities), photon, nominatim, dadata or http',
    'gazetteer',
    oneOf('gazetteer', 'photon', 'nominatim', 'dadata', 'http'),
  ),
  // The URL is secret, because some providers expect their key in the query.
  SUGGEST_URL: secret('the URL of the provider; optional for dadata, and with {q}, {count} and {locale} for http', '', address),
  SUGGEST_AUTHORIZATION: secret('the Authorization header for the provider, such as Token … for dadata', '', header),
  SUGGEST_MAPPING: setting(
    'for http: the position of suggestions in the response, as JSON pointers: {"items": "/results", "value": "/label", "unrestrictedValue": "/full", "data": "/properties"}',
    '',
    (value): Mapping | undefined => (value === '' ? undefined : parseMapping(value)),
  ),
  SUGGEST_TIMEOUT_MS: setting(
    'the maximum response time of the provider in milliseconds; a slower response counts as no suggestions',
    '2000',
    integer(100, 10_000),
  ),
  SUGGEST_CACHE_MINUTES: setting(
    'minutes to cache the response of a provider for requests with the same text; 0 disables the cache',
    '60',
    integer(0, 10_080),
  ),
} as const;

type SuggestionValues = ValuesOf<typeof suggestionSettings>;

/** The chosen provider with its settings. */
export type ProviderConfig =
  | { kind: 'gazetteer' }
  | { kind: 'photon' | 'nominatim' | 'dadata'; url: string }
  | { kind: 'http'; url: string; mapping: Mapping };
export type SuggestionConfig = SuggestionValues & { suggestionProvider: ProviderConfig };

export function resolveSuggestionsSettings(read: SuggestionValues, _platform: PlatformConfig): SuggestionConfig {
  return { ...read, suggestionProvider: providerOf(read) };
}

function providerOf({
  SUGGEST_PROVIDER: kind,
  SUGGEST_URL: url,
  SUGGEST_MAPPING: mapping,
  SUGGEST_AUTHORIZATION: authorization,
}: SuggestionValues): ProviderConfig {
  if (kind === 'gazetteer') return { kind };
  if (kind === 'dadata') {
    if (authorization === undefined)
      throw new ConfigError('SUGGEST_AUTHORIZATION must be set for dadata: the word `Token` and the key of your account.');
    return { kind, url: url ?? 'https://suggestions.dadata.ru' };
  }
  if (url === undefined) throw new ConfigError(`SUGGEST_URL must be set for ${kind}: the URL of the server.`);
  if (kind !== 'http') return { kind, url };
  if (mapping === undefined || !url.includes('{q}'))
    throw new ConfigError('SUGGEST_MAPPING must be set for http, and SUGGEST_URL must contain {q} in place of the text.');
  return { kind, url, mapping };
}
