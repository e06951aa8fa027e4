import { recordAudit } from '../../../platform/journal/record.ts';
import { beforeEnding, type Scope } from '../../../platform/scope.ts';
import { loggedOut, sessionRevoked, tokenReused } from '../events.ts';
import type { AccessTokens } from './access-tokens.ts';
import * as queries from './credential-queries.ts';

/** The token cache of this node. */
type Believing = { tokens: Pick<AccessTokens, 'forget'> };

/**
 * Locks a person before any change of their credentials, so that two changes do not deadlock. Waits for a sign-in in progress, so that the change
 * also applies to it. Acquire this lock before those of memberships and sign-ins.
 */
export function lockPersonCredentials(scope: Scope, account: string): void {
  scope.db.send(queries.lockPerson, { account });
  beforeEnding(scope, account);
}

/** Like `lockPersonCredentials`, for a change of the membership in the team of the scope. */
export function lockMembershipCredentials(scope: Scope, account: string): void {
  scope.db.send(queries.lockMembership, { team: scope.team, account });
  beforeEnding(scope, account);
}

/**
 * Waits for all running transactions of a user whose row is locked, before their resources go to a successor. Resources that these transactions
 * create are transferred too. Later transactions of the user fail.
 */
export async function lockCredentials(scope: Scope, account: string): Promise<void> {
  beforeEnding(scope, account);
  await scope.db.all(queries.lockCredentialsExclusively, { account });
}

/** Keeps all sign-ins of a person valid, or only one of them, after a change of credentials in this transaction. */
export function keepSignIns(scope: Scope, account: string, only: string | null): void {
  scope.db.send(queries.keepSignIns, { account, only });
}

const actOf = { logout: loggedOut, revoked: sessionRevoked, reused: tokenReused };

/** Ends one sign-in of a person in all teams. Returns false if there is none. Removes it from the cache of this node and notifies the other nodes. */
export async function endSignIn(
  accounts: Believing,
  scope: Scope,
  session: string,
  account: string,
  why: keyof typeof actOf,
): Promise<boolean> {
  lockPersonCredentials(scope, account);
  const [ended] = await scope.db.all(queries.revokeSignIn, { session, account, at: scope.now });
  if (!ended) return false;
  scope.db.afterCommit(() => accounts.tokens.forget(session));
  await recordAudit(scope, actOf[why], session);
  return true;
}

/** Ends a sign-in of the caller that the caller's own sign-in sees. Returns false if there is none. */
export async function endOtherSignIn(
  accounts: Believing,
  scope: Scope,
  { session, account }: { session: string; account: string },
  wanted: string,
): Promise<boolean> {
  const found = await scope.db.first(queries.signInWithinReach, { team: scope.team, session, account, wanted });
  return found !== undefined && endSignIn(accounts, scope, wanted, account, 'revoked');
}

/** Ends all sign-ins of a person in all teams, or all except one. */
export async function endSignIns(accounts: Believing, scope: Scope, account: string, except: string | null): Promise<void> {
  lockPersonCredentials(scope, account);
  forgetEnded(accounts, scope, await scope.db.all(queries.revokeOtherSignIns, { account, except, at: scope.now }));
}

/** Ends the sessions of a member in the team of the scope, or all except one. Their other teams stay open. */
export async function endMemberSessions(accounts: Believing, scope: Scope, account: string, except: string | null): Promise<void> {
  lockMembershipCredentials(scope, account);
  forgetEnded(accounts, scope, await scope.db.all(queries.revokeMemberSessions, { team: scope.team, account, except, at: scope.now }));
}

function forgetEnded(accounts: Believing, scope: Scope, ended: readonly { id: string }[]): void {
  scope.db.afterCommit(() => {
    for (const { id } of ended) accounts.tokens.forget(id);
  });
}

/** Ends the sign-ins through a connection that wait for a second factor. The caller must lock the connection, so that no new one begins. */
export async function endChallengesThrough(scope: Scope, connection: string): Promise<void> {
  await scope.db.all(queries.endChallenges, { connection, account: null, idpSession: null });
}

/** One account with sessions through a connection, one session at the provider, or both. */
export type SessionsAtProvider = { account: string } | { idpSession: string } | { account: string; idpSession: string };

/**
 * Ends the sessions that were opened through a connection of the team, or some of them. The caller must lock the connection, so that no new one is
 * opened. Returns the accounts whose sessions ended.
 */
export async function endSessionsThrough(
  accounts: Believing,
  scope: Scope,
  connection: string,
  only?: SessionsAtProvider,
): Promise<string[]> {
  const through = { team: scope.team, connection, account: null, idpSession: null, ...only };
  // First: a second factor that was accepted before leaves a session, which the last statement finds.
  await scope.db.all(queries.endChallenges, through);
  const members = await scope.db.all(queries.lockAccountsThrough, through);
  for (const { id } of members) beforeEnding(scope, id);
  if (!only) scope.db.send(queries.lockTeamCredentials, { team: scope.team });
  forgetEnded(accounts, scope, await scope.db.all(queries.revokeSessionsThrough, { ...through, at: scope.now }));
  return members.map(({ id }) => id);
}
