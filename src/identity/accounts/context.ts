import type { Statement } from '../../platform/database/statement.ts';
import type { MasterKey } from '../../platform/crypto/master-key.ts';
import type { RefreshKeys } from '../../platform/crypto/refresh-tokens.ts';
import type { Box } from '../../platform/crypto/secretbox.ts';
import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import type { Lifetimes } from '../../platform/lifetimes.ts';
import type { PublicScope, Scope } from '../../platform/scope.ts';
import type { AccessTokens } from './sign-in/access-tokens.ts';
import { createDevicePass, type DevicePass } from '../../platform/http/device-pass.ts';
import { createRefreshCookie, type RefreshCookie } from '../../platform/http/refresh-cookie.ts';
import type { MadeBy } from './membership/compromised-account.ts';
import type { Throttle } from '#credentials';

export const factorPurpose = 'two-factor';
const passSeconds = 3_600;

export type AccountSettings = {
  baseUrl: string;
  issuer: string;
  altcha: 'on' | 'off';
  passwordMinLength: number;
  refreshGraceSeconds: number;
  lifetimes: Lifetimes;
  corsOrigins: readonly string[];
  /** The name passkeys are bound to (WebAuthn's RP ID), and the pages that may use them. */
  passkeys: { rpId: string; origins: readonly string[] };
};

/**
 * Tells whether an invitation waits for an address that was just confirmed. Given by whoever puts the parts together:
 * accounts know nothing of invitations.
 */
export type InvitationWaits = (scope: PublicScope, emailKey: string) => Promise<boolean>;

/** Ends what a program does by a session, which has just ended. */
export type OnAppSessionEnd = (scope: Scope, session: string) => Promise<void>;

export type AccountDependencies = Pick<
  Accounts,
  'tokens' | 'hasher' | 'throttle' | 'settings' | 'invitationWaits' | 'madeBy' | 'appSessionListeners' | 'hasLegalHold'
> & {
  masterKey: MasterKey;
};

/** What the use cases of accounts work with; keys are derived once. */
export type Accounts = {
  tokens: AccessTokens;
  hasher: PasswordHasher;
  throttle: Throttle;
  settings: AccountSettings;
  invitationWaits: InvitationWaits;
  /** Whether a legal hold stands in a team, of whatever part keeps holds. */
  hasLegalHold: Statement<{ team: string }, { on_hold: boolean }>;
  /** What people have made, by the parts that know of it. */
  madeBy: readonly MadeBy[];
  /** What else ends with a session that a program holds, in the transaction in which it is ended. */
  appSessionListeners: readonly OnAppSessionEnd[];
  cookie: RefreshCookie;
  /** Given to a browser that has set a new password by mail: the way past guesses of strangers, for an owner without another device. */
  pass: DevicePass;
  keys: { altcha: string; codes: Buffer; refresh: RefreshKeys; appRefresh: RefreshKeys; origins: Buffer; factors: Box; passkeys: Buffer };
};

export function openAccounts({ masterKey, ...parts }: AccountDependencies): Accounts {
  const { settings } = parts;
  return {
    ...parts,
    cookie: createRefreshCookie('refresh_token', settings.lifetimes.sessionIdle, settings),
    pass: createDevicePass('device_pass', passSeconds, { key: masterKey.derive('device-pass'), settings }),
    keys: {
      altcha: masterKey.derive('altcha').toString('hex'),
      codes: masterKey.derive('codes'),
      refresh: masterKey.accepted('refresh-tokens'),
      appRefresh: masterKey.accepted('program-refresh-tokens'),
      origins: masterKey.derive('origins'),
      factors: masterKey.box(factorPurpose),
      passkeys: masterKey.derive('passkey-challenges'),
    },
  };
}
