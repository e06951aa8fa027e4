import type { Credentials } from '#credentials';
import type { KeyRing } from '#keys';
import type { PlatformConfig } from '../../platform/config.ts';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { lifetimesOf } from '../../platform/lifetimes.ts';
import { createAccessTokens, type LiveClient, signInForPages, type SignInForPages, type TokenClaims } from './sign-in/index.ts';
import type { AccountConfig } from './config.ts';
import { type MadeBy, teamHasLegalHold } from './membership/index.ts';
import { type Accounts, type AccountSettings, type OnAppSessionEnd, type InvitationWaits, openAccounts } from './context.ts';
import { dropExpiredSignIns } from './jobs.ts';
import { accountRoutes } from './routes.ts';

/** Whether a token of an API client is good now, and for what. */
export type AskClient = (claims: TokenClaims) => Promise<LiveClient | undefined>;

/** What the domains that use accounts get, and where they say what accounts ask of them without knowing them. */
export type OpenAccounts = Accounts & {
  /** Has `find` asked what a lost person has made, after those that were given before. */
  onLoss(find: MadeBy): void;
  /** Has `end` end what a program does by a session, when that is ended. */
  onAppSessionEnd(end: OnAppSessionEnd): void;
  askInvitations(ask: InvitationWaits): void;
  askClients(ask: AskClient): void;
  /** The sessions of people on the server's own pages. */
  signInPages: SignInForPages;
};

function settingsOf(platform: PlatformConfig, config: AccountConfig, credentials: Credentials): AccountSettings {
  return {
    baseUrl: platform.BASE_URL,
    issuer: platform.BASE_URL,
    altcha: config.ALTCHA,
    passwordMinLength: credentials.passwordMinLength,
    refreshGraceSeconds: credentials.refreshGraceSeconds,
    lifetimes: lifetimesOf(config),
    corsOrigins: platform.CORS_ORIGINS,
    passkeys: { rpId: config.PASSKEY_RP_ID, origins: config.passkeyOrigins },
  };
}

/** Opens accounts; the tokens end with a notification of the database, on every node. */
export async function open(
  { config: platform, database, listener, masterKey, log, tables }: Platform,
  { credentials, keys }: { credentials: Credentials; keys: KeyRing },
  config: AccountConfig,
): Promise<OpenedDomain<OpenAccounts>> {
  const madeBy: MadeBy[] = [];
  const appSessionListeners: OnAppSessionEnd[] = [];
  let invitationWaits: InvitationWaits = async () => false;
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
  if (config.ALTCHA === 'off') log.warn('ALTCHA is off: registration and password reset ask for no proof of work');
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
  });
  return {
    exports: {
      ...accounts,
      onLoss: (find) => void madeBy.push(find),
      onAppSessionEnd: (end) => void appSessionListeners.push(end),
      askInvitations: (ask) => void (invitationWaits = ask),
      askClients: (ask) => void (liveClient = ask),
      signInPages: signInForPages(accounts),
    },
    routes: (app) => accountRoutes(app, accounts),
    verifies: { audience: 'user', verify: (token) => tokens.verify(token) },
    periodic: [{ name: 'sign-in-drop', cron: '27 * * * *', run: () => dropExpiredSignIns(database) }],
  };
}
