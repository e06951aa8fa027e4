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
  /** `invited`: registration is closed, and invitations, single sign-on and directories create accounts. */
  registration: 'open' | 'invited';
  altcha: 'on' | 'off';
  passwordMinLength: number;
  refreshGraceSeconds: number;
  lifetimes: Lifetimes;
  corsOrigins: readonly string[];
  /** The RP ID of passkeys (WebAuthn), and the origins of pages that may use them. */
  passkeys: { rpId: string; origins: readonly string[] };
};

/**
 * Whether a pending invitation exists for a newly confirmed address. The domain teams provides this function, because the domain accounts has no
 * access to invitations.
 */
export type InvitationWaits = (scope: PublicScope, emailKey: string) => Promise<boolean>;

/** What directories know about members. The directories domain provides it, because accounts has no access to directories. */
export type DirectoryLookup = {
  /** Returns the account of a user of the directory behind a provider connection, by the identifiers of a sign-in. */
  accountOf(scope: Scope, who: { connectionId: string; subject: string; objectId: string | undefined }): Promise<string | undefined>;
  /** Whether a directory has deactivated the user of an account. */
  hasDeactivated(scope: Scope, account: string): Promise<boolean>;
};

/** Ends all work of a connected app whose session has just ended. */
export type OnAppSessionEnd = (scope: Scope, session: string) => Promise<void>;

export type AccountDependencies = Pick<
  Accounts,
  'tokens' | 'hasher' | 'throttle' | 'settings' | 'invitationWaits' | 'directories' | 'madeBy' | 'appSessionListeners' | 'hasLegalHold'
> & {
  masterKey: MasterKey;
};

/** Dependencies of the use cases of accounts. Keys are derived once. */
export type Accounts = {
  tokens: AccessTokens;
  hasher: PasswordHasher;
  throttle: Throttle;
  settings: AccountSettings;
  invitationWaits: InvitationWaits;
  directories: DirectoryLookup;
  /** Whether a team has an active legal hold in any domain. */
  hasLegalHold: Statement<{ team: string }, { on_hold: boolean }>;
  /** Functions of other domains that find the resources of a user. */
  madeBy: readonly MadeBy[];
  /** Called in the transaction that ends the session of a connected app. */
  appSessionListeners: readonly OnAppSessionEnd[];
  cookie: RefreshCookie;
  /** A cookie for browsers that set a new password by mail. Wrong passwords from unknown devices do not block sign-ins from these browsers. */
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
