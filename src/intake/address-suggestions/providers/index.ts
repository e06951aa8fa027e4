import type { Ask } from '../suggestion.ts';
import { dadata } from './dadata.ts';
import type { ProviderClient } from './http-client.ts';
import { type Mapping, mapped } from './mapped.ts';
import { nominatim } from './nominatim.ts';
import { photon } from './photon.ts';

export { createProviderClient } from './http-client.ts';
export { type Mapping, parseMapping } from './mapped.ts';

/** Returns the function for the configured provider and its wire format. */
export function askProvider(
  client: ProviderClient,
  provider: { kind: 'photon' | 'nominatim' | 'dadata'; url: string } | { kind: 'http'; url: string; mapping: Mapping },
): Ask {
  if (provider.kind === 'http') return mapped(client, provider.url, provider.mapping);
  return { photon, nominatim, dadata }[provider.kind](client, provider.url);
}
