import type { MasterKey } from '../platform/crypto/master-key.ts';
import type { PasswordHasher } from '../platform/crypto/password-hash.ts';
import type { AccessTokens } from './access-tokens.ts';
import { createRefreshCookie, type RefreshCookie } from '../platform/http/refresh-cookie.ts';
import { createThrottle, type Throttle } from './throttle.ts';

const thirtyDays = 30 * 86_400;

export type AccountSettings = {
  baseUrl: string;
  issuer: string;
  altcha: 'on' | 'off';
  passwordMinLength: number;
  refreshGraceSeconds: number;
  corsOrigins: readonly string[];
};

export type AccountDeps = { tokens: AccessTokens; hasher: PasswordHasher; masterKey: MasterKey; settings: AccountSettings };

/** What the use cases of accounts work with; keys are derived once. */
export type Accounts = Pick<AccountDeps, 'tokens' | 'hasher' | 'settings'> & {
  throttle: Throttle;
  cookie: RefreshCookie;
  keys: { altcha: string; codes: Buffer; refresh: Buffer; origins: Buffer; factors: Buffer };
};

export function openAccounts({ tokens, hasher, masterKey, settings }: AccountDeps): Accounts {
  return {
    tokens,
    hasher,
    settings,
    cookie: createRefreshCookie('refresh_token', thirtyDays, settings),
    throttle: createThrottle(masterKey.derive('throttle')),
    keys: {
      altcha: masterKey.derive('altcha').toString('hex'),
      codes: masterKey.derive('codes'),
      refresh: masterKey.derive('refresh-tokens'),
      origins: masterKey.derive('origins'),
      factors: masterKey.derive('two-factor'),
    },
  };
}
