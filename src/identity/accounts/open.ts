import type { Credentials } from '#credentials';
import type { KeyRing } from '#keys';
import type { PlatformConfig } from '../../platform/config.ts';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { lifetimesOf } from '../../platform/lifetimes.ts';
import { createAccessTokens, type LiveClient, signInForPages, type SignInForPages, type TokenClaims } from './sign-in/index.ts';
import type { AccountConfig } from './config.ts';
import { type MadeBy, teamHasLegalHold } from './membership/index.ts';
import {
  type Accounts,
  type AccountSettings,
  type DirectoryLookup,
  type OnAppSessionEnd,
  type InvitationWaits,
  openAccounts,
} from './context.ts';
import { dropExpiredSignIns } from './jobs.ts';
import { accountRoutes } from './routes.ts';

/** Whether a token of an API client is valid, and its rights. */
export type AskClient = (claims: TokenClaims) => Promise<LiveClient | undefined>;

/** The functions of accounts for other domains, including the registration of callbacks. */
export type OpenAccounts = Accounts & {
  /** Registers a function that finds the resources of a departed or reset user. */
  onLoss(find: MadeBy): void;
  /** Registers a function that runs when the session of a connected app ends. */
  onAppSessionEnd(end: OnAppSessionEnd): void;
  askInvitations(ask: InvitationWaits): void;
  askDirectories(ask: DirectoryLookup): void;
  askClients(ask: AskClient): void;
  /** The sessions of users on the server’s own pages. */
  signInPages: SignInForPages;
};

function settingsOf(platform: PlatformConfig, config: AccountConfig, credentials: Credentials): AccountSettings {
  return {
    baseUrl: platform.BASE_URL,
    issuer: platform.BASE_URL,
    registration: platform.REGISTRATION,
    altcha: config.ALTCHA,
    passwordMinLength: credentials.passwordMinLength,
    refreshGraceSeconds: credentials.refreshGraceSeconds,
    lifetimes: lifetimesOf(config),
    corsOrigins: platform.CORS_ORIGINS,
    passkeys: { rpId: config.PASSKEY_RP_ID, origins: config.passkeyOrigins },
  };
}

/** Opens the accounts domain. Database notifications invalidate tokens on every node. */
export async function open(
  { config: platform, database, listener, masterKey, log, tables }: Platform,
  { credentials, keys }: { credentials: Credentials; keys: KeyRing },
  config: AccountConfig,
): Promise<OpenedDomain<OpenAccounts>> {
  const madeBy: MadeBy[] = [];
  const appSessionListeners: OnAppSessionEnd[] = [];
  let invitationWaits: InvitationWaits = async () => false;
  let directories: DirectoryLookup = { accountOf: async () => undefined, hasDeactivated: async () => false };
  let liveClient: AskClient = async () => undefined;
  const tokens = createAccessTokens({
    database,
    keys,
    issuer: platform.BASE_URL,
    receivesRevocations: () => listener.connected(),
    liveClient: (claims) => liveClient(claims),
    seconds: config.ACCESS_TOKEN_SECONDS,
  });
  await listener.on('revoked', (subject) => tokens.forget(subject));
  listener.onReconnect(() => tokens.forget('*'));
  if (config.ALTCHA === 'off') log.warn('ALTCHA is off: registration and password reset need no proof of work');
  const accounts = openAccounts({
    tokens,
    masterKey,
    madeBy,
    appSessionListeners,
    hasLegalHold: teamHasLegalHold(tables),
    hasher: credentials.hasher,
    throttle: credentials.throttle,
    settings: settingsOf(platform, config, credentials),
    invitationWaits: (scope, emailKey) => invitationWaits(scope, emailKey),
    directories: {
      accountOf: (scope, who) => directories.accountOf(scope, who),
      hasDeactivated: (scope, account) => directories.hasDeactivated(scope, account),
    },
  });
  return {
    exports: {
      ...accounts,
      onLoss: (find) => void madeBy.push(find),
      onAppSessionEnd: (end) => void appSessionListeners.push(end),
      askInvitations: (ask) => void (invitationWaits = ask),
      askDirectories: (ask) => void (directories = ask),
      askClients: (ask) => void (liveClient = ask),
      signInPages: signInForPages(accounts),
    },
    routes: (app) => accountRoutes(app, accounts),
    verifies: { audience: 'user', verify: (token) => tokens.verify(token) },
    periodic: [{ name: 'sign-in-drop', cron: '27 * * * *', run: () => dropExpiredSignIns(database) }],
  };
}
