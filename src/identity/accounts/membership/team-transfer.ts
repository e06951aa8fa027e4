import { randomUUIDv7 } from 'node:crypto';
import { dropAnswersOf } from '../../../platform/http/idempotency.ts';
import { record } from '../../../platform/journal/record.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { memberJoined, memberRemoved } from '../events.ts';
import type { Accounts } from '../context.ts';
import { lose } from './compromised-account.ts';
import { dropIdentities } from '../sign-in/federation-queries.ts';
import * as moves from './team-transfer-queries.ts';
import { insertTeam } from '../queries.ts';
import { endSessions, holdCredentials, holdPerson } from '../sign-in/credentials.ts';
import type { Role } from '../roles.ts';
import { type Device, openSession, type SignedIn } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/**
 * A person is in one team at a time and keeps their id, password and second factor when they change it: the row in the
 * old team becomes a tombstone, and one in the new team comes alive, in one transaction.
 */

/** A person between two teams: what {@link leaveTeam} took along and {@link joinTeam} puts down. */
export type Mover = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  readonly row: string;
  readonly own: readonly string[][];
};

/** Tells whoever keeps something of a person, whose row is locked, that they leave: what is theirs goes to a successor. */
export async function announceLeaving(
  scope: Scope,
  id: string,
  data: { role: string; reason: 'removed' | 'left' | 'account_deleted'; successorId: string },
): Promise<void> {
  await holdCredentials(scope, id);
  await record(scope, memberRemoved, id, data);
}

/**
 * Takes a person out of the team of the scope; their sessions end at once, on every node. Nothing when they are not in it. Of who
 * was removed it stays known who they are to the team's providers, so that none of these brings them back.
 */
export async function leaveTeam(accounts: Accounts, scope: Scope, id: string, how: 'left' | 'removed'): Promise<Mover | undefined> {
  const one = { team: scope.team, id };
  const locked = await scope.db.first(moves.holdAccount, one);
  if (!locked) return undefined;
  holdPerson(scope, id);
  // While the person's name is still there to be told.
  await lose(accounts, scope, id, 'gone');
  const { own } = await pipelined({
    own: () => Promise.all(moves.ownRows.map(({ take }) => scope.db.all(take, one))),
    identities: () => (how === 'left' ? scope.db.all(dropIdentities, { team: scope.team, account: id }) : undefined),
    buried: () => scope.db.all(moves.buryAccount, { ...one, at: scope.now }),
    answers: () => scope.db.all(dropAnswersOf, one),
    sessions: () => endSessions(accounts, scope, id, null),
  });
  return {
    id,
    email: locked.email,
    firstName: locked.first_name,
    lastName: locked.last_name,
    locale: locked.locale,
    row: locked.person,
    own: own.map((rows) => rows.map(({ row }) => row)),
  };
}

/** Puts a person who left one team down in the team of the scope; returns the epoch they begin with. `invitationId`: what brought them. */
export async function joinTeam(scope: Scope, person: Mover, role: Role, invitationId?: string): Promise<number> {
  const settling = scope.db.first(moves.settleAccount, { team: scope.team, id: person.id, role, person: person.row, at: scope.now });
  for (const [index, { put }] of moves.ownRows.entries())
    for (const row of person.own[index] ?? []) scope.db.send(put, { team: scope.team, id: person.id, row });
  scope.db.send(dropIdentities, { team: scope.team, account: person.id });
  await record(scope, memberJoined, person.id, { role, ...(invitationId === undefined ? {} : { invitationId }) });
  const settled = await settling;
  if (!settled) throw new Error('the person is in this team already');
  return settled.credential_epoch;
}

/** Makes a new team that a person who left another owns alone, and confines the transaction to it while that is done. */
export async function settleAlone(scope: Scope, person: Mover): Promise<void> {
  const team = randomUUIDv7();
  const { ip: _ofTheOldTeam, ...rest } = scope;
  const alone: Scope = { ...rest, team, actor: { type: 'system' } };
  scope.db.enterTeam(team);
  await scope.db.all(insertTeam, { team, name: `${person.firstName} ${person.lastName}`, at: scope.now });
  await joinTeam(alone, person, 'owner');
  scope.db.enterTeam(scope.team);
}

export type SessionProof = { authTime: string; secondFactorAt: string | null; amr: string[]; acr: string; expiresAt: string };

/** How the session of a request was proven; asked before its person leaves the team. Errors: 401 when it has ended. */
export async function proofOfSession(scope: Scope, account: string, session: string): Promise<SessionProof> {
  const proof = await scope.db.first(moves.proofOfSession, { team: scope.team, session, account });
  if (!proof) throw problems.invalid_token('The session has ended. Sign in again.');
  return { authTime: proof.auth_time, secondFactorAt: proof.second_factor_at, amr: proof.amr, acr: proof.acr, expiresAt: proof.expires_at };
}

/**
 * Opens a session in the team a person has just joined, in place of the one that ended with the old membership. It is
 * no stronger and lives no longer: changing teams proves nothing anew. Errors: 403 `sso_required`.
 */
export function continueSession(
  accounts: Accounts,
  scope: Scope,
  { id, epoch }: { id: string; epoch: number },
  proof: SessionProof,
  device: Device,
): Promise<SignedIn> {
  const changed = () => problems.invalid_token('The session has ended. Sign in again.');
  return openSession(accounts, scope, { id, epoch, changed }, device, {
    amr: proof.amr,
    acr: proof.acr,
    authTime: new Date(proof.authTime),
    secondFactorAt: proof.secondFactorAt === null ? undefined : new Date(proof.secondFactorAt),
    endsAt: proof.expiresAt,
  });
}

/** After a change of what a person may do: their sessions go on, and every node asks the database at their next request. */
export async function forgetPerson(accounts: Accounts, scope: Scope, account: string): Promise<void> {
  const living = await scope.db.all(moves.notifySessions, { team: scope.team, account });
  scope.db.afterCommit(() => {
    for (const { id } of living) accounts.tokens.forget(id);
  });
}
