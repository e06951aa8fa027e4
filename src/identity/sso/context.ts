import type { Accounts } from '#accounts';
import type { KeyRing } from '#keys';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';
import { createProviders, type ProviderFetch, type Providers } from './oidc/providers.ts';
import { openSamlReader, type SamlReader } from './saml/reader.ts';

export type CheckUrl = (text: string) => { ok: true; url: string } | { ok: false; reason: string; rule: string };

export const secretPurpose = 'sso-secrets';

export type SsoDependencies = {
  /** The keys that sign requests to SAML providers. */
  ring: KeyRing;
  masterKey: MasterKey;
  /** Fetches addresses that a team configured, but none inside the operator’s network. */
  fetch: ProviderFetch;
  /** Checks early whether an address can be reached at all. */
  checkUrl: CheckUrl;
  /** Returns the TXT records of a DNS name, or `undefined` if no name server has answered. */
  lookupText: (name: string) => Promise<string[] | undefined>;
  /** Whether an issuer may use plain http. */
  allowHttp: boolean;
  /** Unix time in milliseconds for checking ID tokens. */
  now: () => number;
};

/** Dependencies of the use cases of single sign-on. Keys are derived once. */
export type Sso = Pick<SsoDependencies, 'checkUrl' | 'fetch' | 'lookupText'> & {
  accounts: Accounts;
  providers: Providers;
  saml: SamlReader;
  keys: { secrets: Box; states: Box; ring: KeyRing };
};

export function openSso(accounts: Accounts, { masterKey, ring, fetch, checkUrl, lookupText, allowHttp, now }: SsoDependencies): Sso {
  return {
    accounts,
    checkUrl,
    fetch,
    lookupText,
    saml: openSamlReader(),
    providers: createProviders({ fetch, allowHttp, now }),
    keys: { secrets: masterKey.box(secretPurpose), states: masterKey.box('sso-states'), ring },
  };
}
