import { randomUUIDv7 } from 'node:crypto';
import { readRefreshToken, writeRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import { renewTokens, type SessionFacts, type Tokens } from '#credentials';
import type { Database, Reader } from '../../../platform/database/database.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { accountProblems } from '../problems.ts';
import { type Role, scopesOfRole } from '../roles.ts';
import { endSignIn } from './credentials.ts';
import * as queries from './connected-app-queries.ts';
import { requireRecentSignIn } from './reauthentication.ts';

/** Seconds in which an app must redeem its code. */
const takesUpSeconds = 60;

/** The tokens of a connected app, with the allowed scopes that the user’s current role has. */
export type AppTokens = Tokens & { scopes: readonly string[] };

/** Returns the user who decides about a connected app, after a recent sign-in. Throws 401 `reauthentication_required`. */
export async function findConsentingAccount(scope: Scope, session: string): Promise<queries.ConsentingAccount> {
  await requireRecentSignIn(scope, session);
  const person = await scope.db.first(queries.findConsentingAccount, { team: scope.team, session });
  if (!person) throw new Error('a session that was just read has no person');
  return person;
}

/** Returns the given scopes that a role has. */
export const scopesWithinRole = (role: Role, scopes: readonly string[]): string[] => {
  const available = new Set<string>(scopesOfRole(role));
  return scopes.filter((scope) => available.has(scope));
};

/**
 * Opens a session for a connected app from the user’s own session. Both end together. It lasts a minute unless the app redeems its code. The user
 * gets a mail. Throws 403 `account_disabled`.
 */
export async function openAppSession(
  accounts: Accounts,
  scope: Scope,
  by: string,
  person: queries.ConsentingAccount,
  connectedApp: { id: string; name: string; host: string; scopes: readonly string[] },
): Promise<{ session: string; livesUntil: string }> {
  const session = randomUUIDv7();
  const opened = await scope.db.first(queries.openAppSession, {
    team: scope.team,
    account: person.account_id,
    session,
    by,
    epoch: person.credential_epoch,
    byProvider: person.by_provider,
    connectedApp: connectedApp.id,
    scopes: [...connectedApp.scopes],
    at: scope.now,
    lasts: takesUpSeconds,
    ip: scope.ip ?? null,
  });
  if (!opened) throw accountProblems.account_disabled('Your account cannot connect apps now. Sign in again and retry.');
  await queueMail(scope.db, {
    to: person.email,
    team: scope.team,
    ...accountMail(person.locale, 'appConnected', person.first_name, connectedApp.name, connectedApp.host, accounts.settings.baseUrl),
  });
  return { session, livesUntil: opened.lives_until };
}

/** Activates a session of a connected app in the transaction that redeems its code. Returns undefined if it has expired. */
export async function takeUpSession(
  accounts: Accounts,
  scope: Scope,
  pending: { session: string; connectedApp: string; until: string },
): Promise<AppTokens | undefined> {
  const { team, now: at } = scope;
  const idle = accounts.settings.lifetimes.sessionIdle;
  const facts = await scope.db.first(queries.takeUpSession, { team, ...pending, idle, at });
  if (!facts) return undefined;
  return {
    accessToken: await accessToken(accounts, team, pending.session, facts),
    refreshToken: writeRefreshToken(accounts.keys.appRefresh, { owner: team, session: pending.session, counter: facts.counter }),
    scopes: scopesWithinRole(facts.role, facts.app_scopes),
  };
}

function accessToken(accounts: Accounts, team: string, sessionId: string, facts: queries.AppSessionFacts & Omit<SessionFacts, 'counter'>) {
  const { account_id: accountId, role, amr, acr, app_id: id, app_scopes: scopes } = facts;
  const authTime = new Date(facts.auth_time);
  return accounts.tokens.issue({
    accountId,
    team,
    role,
    sessionId,
    authTime,
    amr,
    acr,
    connectedApp: { id, scopes: scopesWithinRole(role, scopes) },
  });
}

/**
 * Renews the tokens of a connected app by the rules of users’ tokens. Returns undefined,
 * without a change, for a token of another app. Throws the errors of a refresh.
 */
export async function renewAppSession(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  token: string,
  connectedApp: string,
): Promise<AppTokens | undefined> {
  const { keys, settings } = accounts;
  const idle = settings.lifetimes.sessionIdle;
  const look = <T>(team: string, session: string, work: (scope: Scope, living: Living | undefined) => Promise<T>) =>
    inPublic(async (outer) => {
      const scope = enterTeam(outer, team, { type: 'system' });
      return work(scope, await scope.db.first(queries.appSessions.state, { owner: team, session, idle }));
    });
  const claim = readRefreshToken(keys.appRefresh, token);
  const facts = claim && (await look(claim.owner, claim.session, async (_scope, living) => living));
  if (facts && facts.app_id !== connectedApp) return undefined;
  const tokens = await renewTokens<Living>(
    {
      keys: keys.appRefresh,
      graceSeconds: settings.refreshGraceSeconds,
      idleSeconds: idle,
      rotate: (rotated) =>
        database.batched(rotated.owner, rotated.session).first(queries.appSessions.rotate, rotated) as Promise<Living | undefined>,
      look: ({ owner, session }, work) => look(owner, session, work),
      endReused: async (scope, { session }, { account_id: id }) =>
        void (await endAppSession(accounts, { ...scope, actor: { type: 'user', id } }, session, id, 'reused')),
      accessToken: ({ owner, session }, found) => accessToken(accounts, owner, session, found),
    },
    token,
  );
  return { ...tokens, scopes: facts ? scopesWithinRole(facts.role, facts.app_scopes) : [] };
}

type Living = queries.AppSessionFacts & SessionFacts & { ages: number[] };

/** Returns the session of a connected app’s token: a refresh token, or an unexpired access token. */
export async function sessionOfToken({ keys, tokens }: Accounts, token: string): Promise<{ team: string; session: string } | undefined> {
  const claim = readRefreshToken(keys.appRefresh, token);
  if (claim) return { team: claim.owner, session: claim.session };
  const claims = await tokens.read(token);
  return claims && claims.use === 'mcp' && claims.clientId !== claims.sub ? { team: claims.team, session: claims.sid } : undefined;
}

/** Ends a session of a connected app and its pending requests. Returns false if it does not exist. */
export async function endAppSession(
  accounts: Accounts,
  scope: Scope,
  session: string,
  account: string,
  why: 'revoked' | 'reused',
): Promise<boolean> {
  scope.db.enterPerson(account);
  const ended = await endSignIn(accounts, scope, session, account, why);
  if (ended) for (const end of accounts.appSessionListeners) await end(scope, session);
  return ended;
}

/** Lists the valid sessions of a user’s connected apps, newest first. */
export function activeAppSessions({ db, team }: { db: Reader; team: string }, account: string) {
  return db.all(queries.activeAppSessions, { team, account });
}
