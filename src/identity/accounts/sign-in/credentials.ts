import { recordAudit } from '../../../platform/journal/record.ts';
import { beforeEnding, type Scope } from '../../../platform/scope.ts';
import { loggedOut, sessionRevoked, tokenReused } from '../events.ts';
import type { AccessTokens } from './access-tokens.ts';
import * as queries from './credential-queries.ts';

/** What this node believes of sessions, and forgets when they end. */
type Believing = { tokens: Pick<AccessTokens, 'forget'> };

/**
 * To be called before anything that ends or changes what a person's credentials are good for. The account's row comes before
 * those of its sessions, whoever ends them, so that two who do never wait for one another; a session that is being opened is
 * waited for, and is found then.
 */
export function holdPerson(scope: Scope, account: string): void {
  scope.db.send(queries.lockAccount, { team: scope.team, account });
  beforeEnding(scope, account);
}

/**
 * To be called before what is a person's is given to others because they leave, once their row is locked: what they are doing is done
 * before that, and is handed over as well, or is not done at all.
 */
export async function holdCredentials(scope: Scope, account: string): Promise<void> {
  beforeEnding(scope, account);
  await scope.db.all(queries.holdCredentialsAlone, { account });
}

/** Takes the sessions that go on, or one, along over a change of a person's credentials that has just been made. */
export function keepSessions(scope: Scope, account: string, only: string | null): void {
  scope.db.send(queries.keepSessions, { team: scope.team, account, only });
}

const actOf = { logout: loggedOut, revoked: sessionRevoked, reused: tokenReused };

/** Ends one session of a person; false when there is none. This node forgets it at once, the others are told. */
export async function endSession(
  accounts: Believing,
  scope: Scope,
  session: string,
  account: string,
  why: keyof typeof actOf,
): Promise<boolean> {
  holdPerson(scope, account);
  const [ended] = await scope.db.all(queries.revokeSession, { team: scope.team, session, account, at: scope.now });
  if (!ended) return false;
  scope.db.afterCommit(() => accounts.tokens.forget(session));
  await recordAudit(scope, actOf[why], session);
  return true;
}

/** Ends all sessions of a person, or all but one. */
export async function endSessions(accounts: Believing, scope: Scope, account: string, except: string | null): Promise<void> {
  holdPerson(scope, account);
  const ended = await scope.db.all(queries.revokeOtherSessions, { team: scope.team, account, except, at: scope.now });
  scope.db.afterCommit(() => {
    for (const { id } of ended) accounts.tokens.forget(id);
  });
}

/**
 * Ends the sign-ins through a connection of the team that wait for a second factor. Whoever changes the connection holds it locked: none
 * is begun meanwhile.
 */
export async function endChallengesThrough(scope: Scope, connection: string): Promise<void> {
  await scope.db.all(queries.dropChallengesThrough, { team: scope.team, connection });
}

/**
 * Ends all sessions that were begun through a connection of the team, and the sign-ins through it that wait for a second
 * factor. Whoever deletes the connection holds it locked: none is begun meanwhile.
 */
export async function endSessionsThrough(accounts: Believing, scope: Scope, connection: string): Promise<void> {
  const through = { team: scope.team, connection };
  for (const { id } of await scope.db.all(queries.lockAccountsThrough, through)) beforeEnding(scope, id);
  // One after the other: a second factor that was taken first has left a session, which the next statement sees.
  await endChallengesThrough(scope, connection);
  scope.db.send(queries.holdWholeTeam, { team: scope.team });
  const ended = await scope.db.all(queries.revokeSessionsThrough, { ...through, at: scope.now });
  scope.db.afterCommit(() => {
    for (const { id } of ended) accounts.tokens.forget(id);
  });
}
