import { defineDomain, type OpenedDomain, type Platform } from '../../platform/domain.ts';
import { type SuggestionConfig, resolveSuggestionsSettings, suggestionSettings } from './config.ts';
import { gazetteer } from './gazetteer/index.ts';
import { askProvider, createProviderClient } from './providers/index.ts';
import { createSuggest, type Suggest } from './suggest.ts';

/** Suggestions for address fields, from a provider that the operator chooses or from the bundled gazetteer. */
export const domain = defineDomain({ name: 'address-suggestions', settings: suggestionSettings, settle: resolveSuggestionsSettings, open });

export type { Suggest } from './suggest.ts';
export type { Suggestion } from './suggestion.ts';

function open({ log, metrics, version }: Platform, _uses: object, config: SuggestionConfig): OpenedDomain<Suggest> {
  const { suggestionProvider: provider } = config;
  if (provider.kind === 'gazetteer') return { exports: createSuggest({ ask: gazetteer(), provider: undefined, log, metrics }) };
  const client = createProviderClient({ authorization: config.SUGGEST_AUTHORIZATION, version });
  const options = { name: provider.kind, timeoutMs: config.SUGGEST_TIMEOUT_MS, keptMs: config.SUGGEST_CACHE_MINUTES * 60_000 };
  return {
    exports: createSuggest({ ask: askProvider(client, provider), provider: options, log, metrics }),
    close: () => client.close(),
  };
}
