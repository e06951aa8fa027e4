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
import { endSession } from './credentials.ts';
import * as queries from './connected-app-queries.ts';
import { requireRecentSignIn } from './reauthentication.ts';

/** Seconds in which a program takes up what a person has just allowed it. */
const takesUpSeconds = 60;

/** A session that a program holds, with what its person may do today among what they have allowed it. */
export type AppTokens = Tokens & { scopes: readonly string[] };

/** The person who is asked whether a program may act for them: signed in lately. Errors: 401 `reauthentication_required`. */
export async function findConsentingAccount(scope: Scope, session: string): Promise<queries.ConsentingAccount> {
  await requireRecentSignIn(scope, session);
  const person = await scope.db.first(queries.findConsentingAccount, { team: scope.team, session });
  if (!person) throw new Error('a session that was just looked at has a person');
  return person;
}

/** What of these scopes a role holds. */
export const scopesWithinRole = (role: Role, scopes: readonly string[]): string[] => {
  const available = new Set<string>(scopesOfRole(role));
  return scopes.filter((scope) => available.has(scope));
};

/**
 * Opens a session for a program, out of the person's own: it ends with whatever ends theirs. It lasts a minute unless it is taken up.
 * The person is told by mail. Errors: 403 `account_disabled`.
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
  if (!opened)
    throw accountProblems.account_disabled('You cannot let a program act for you at this moment. Sign in again, and try once more.');
  await queueMail(scope.db, {
    to: person.email,
    team: scope.team,
    ...accountMail(person.locale, 'appConnected', person.first_name, connectedApp.name, connectedApp.host, accounts.settings.baseUrl),
  });
  return { session, livesUntil: opened.lives_until };
}

/** Takes up a session that was opened for a program, in the transaction in which its code is used up; nothing where it is over. */
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
    refreshToken: writeRefreshToken(accounts.keys.appRefresh, { holder: team, session: pending.session, counter: facts.counter }),
    scopes: scopesWithinRole(facts.role, facts.program_scopes),
  };
}

function accessToken(accounts: Accounts, team: string, sessionId: string, facts: queries.AppSessionFacts & Omit<SessionFacts, 'counter'>) {
  const { account_id: accountId, role, amr, acr, program_id: id, program_scopes: scopes } = facts;
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
 * Renews the tokens of a session that a program holds, by the rules of people's own; nothing for a token that another program was given, which
 * changes nothing. Errors: those of a refresh.
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
      return work(scope, await scope.db.first(queries.appSessions.state, { holder: team, session, idle }));
    });
  const claim = readRefreshToken(keys.appRefresh, token);
  const facts = claim && (await look(claim.holder, claim.session, async (_scope, living) => living));
  if (facts && facts.program_id !== connectedApp) return undefined;
  const tokens = await renewTokens<Living>(
    {
      keys: keys.appRefresh,
      graceSeconds: settings.refreshGraceSeconds,
      idleSeconds: idle,
      rotate: (rotated) =>
        database.batched(rotated.holder, rotated.session).first(queries.appSessions.rotate, rotated) as Promise<Living | undefined>,
      look: ({ holder, session }, work) => look(holder, session, work),
      endReused: async (scope, { session }, { account_id: id }) =>
        void (await endAppSession(accounts, { ...scope, actor: { type: 'user', id } }, session, id, 'reused')),
      accessToken: ({ holder, session }, found) => accessToken(accounts, holder, session, found),
    },
    token,
  );
  return { ...tokens, scopes: facts ? scopesWithinRole(facts.role, facts.program_scopes) : [] };
}

type Living = queries.AppSessionFacts & SessionFacts & { ages: number[] };

/** Which session of which team a token is of that a program was given: a refresh token, or an access token that has not ended. */
export async function sessionOfToken({ keys, tokens }: Accounts, token: string): Promise<{ team: string; session: string } | undefined> {
  const claim = readRefreshToken(keys.appRefresh, token);
  if (claim) return { team: claim.holder, session: claim.session };
  const claims = await tokens.read(token);
  return claims && claims.use === 'mcp' && claims.clientId !== claims.sub ? { team: claims.team, session: claims.sid } : undefined;
}

/** Ends the session that a program holds for a person, and what it waits for by that; false where there is none. */
export async function endAppSession(
  accounts: Accounts,
  scope: Scope,
  session: string,
  account: string,
  why: 'revoked' | 'reused',
): Promise<boolean> {
  const ended = await endSession(accounts, scope, session, account, why);
  if (ended) for (const end of accounts.appSessionListeners) await end(scope, session);
  return ended;
}

/** The living sessions that programs hold for a person, the newest first. */
export function activeAppSessions({ db, team }: { db: Reader; team: string }, account: string) {
  return db.all(queries.activeAppSessions, { team, account });
}
