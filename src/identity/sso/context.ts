import type { Accounts } from '#accounts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';
import { createProviders, type ProviderFetch, type Providers } from './providers.ts';

export type CheckUrl = (text: string) => { ok: true; url: string } | { ok: false; reason: string; rule: string };

export const secretPurpose = 'sso-secrets';

export type SsoDependencies = {
  masterKey: MasterKey;
  /** Reaches what a team names, and nothing inside the operator's network. */
  fetch: ProviderFetch;
  /** Says early what would never be reached. */
  checkUrl: CheckUrl;
  /** The texts at a name of the DNS; `undefined` if no name server has answered. */
  lookupText: (name: string) => Promise<string[] | undefined>;
  /** May an issuer be plain http? */
  allowHttp: boolean;
  /** Unix milliseconds, what ID tokens are judged by. */
  now: () => number;
};

/** What the use cases of single sign-on work with; keys are derived once. */
export type Sso = Pick<SsoDependencies, 'checkUrl' | 'lookupText'> & {
  accounts: Accounts;
  providers: Providers;
  keys: { secrets: Box; states: Box };
};

export function openSso(accounts: Accounts, { masterKey, fetch, checkUrl, lookupText, allowHttp, now }: SsoDependencies): Sso {
  return {
    accounts,
    checkUrl,
    lookupText,
    providers: createProviders({ fetch, allowHttp, now }),
    keys: { secrets: masterKey.box(secretPurpose), states: masterKey.box('sso-states') },
  };
}
