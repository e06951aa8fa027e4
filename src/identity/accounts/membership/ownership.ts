import { record, recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { ownershipTransferred, teamClosed, userDeleted } from '../events.ts';
import type { Accounts } from '../context.ts';
import { lockMembership, lockPerson } from '../sign-in/credential-queries.ts';
import { accountMail } from '../mails.ts';
import { accountProblems } from '../problems.ts';
import { closeTeam, lockMembers, ownerOfTeam } from './membership-queries.ts';
import { emitMemberLeft, endMembership, forgetPerson } from './end-membership.ts';
import { inTeams, listTeams } from './teams-of-person.ts';
import { accountById, managingTeam } from '../queries.ts';
import { hasEnd } from '../roles.ts';
import { endSignIns, lockMembershipCredentials } from '../sign-in/credentials.ts';
import { requireOwnProof, requireRecentSignIn } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const notOwner = () => accountProblems.not_team_owner('Only the owner can transfer the team. Ask the owner.');

/**
 * Makes another member the owner, and the owner an administrator. Membership changes of a team are
 * serialized: the second of two concurrent transfers fails, because its caller is no longer the owner.
 */
export async function transferOwnership(accounts: Accounts, scope: Scope, session: string, newOwnerId: string): Promise<void> {
  await scope.db.all(lockMembers, { team: scope.team });
  const from = await requireRecentSignIn(scope, session);
  if (from.role !== 'owner') throw notOwner();
  if (newOwnerId === from.account_id) throw accountProblems.already_owner('You already own the team. Name another member.');
  const to = await scope.db.first(factors.activeMember, { team: scope.team, id: newOwnerId });
  if (!to || hasEnd(to.role))
    throw problems.member_not_found(
      'The new owner must be an active member of the team, and not a guest or auditor. List the members and choose one.',
    );
  await changeOwner(accounts, scope, { ...from, id: from.account_id }, to);
}

type OwnerContact = { id: string; email: string; locale: string; first_name: string };

/** Makes `to` the owner and `from` an administrator, and mails both. The caller must hold the lock of the members (`lockMembers`). */
export async function changeOwner(accounts: Accounts, scope: Scope, from: OwnerContact, to: OwnerContact): Promise<void> {
  for (const { id } of [from, to]) lockMembershipCredentials(scope, id);
  // The unique index allows one owner, so the old one changes first.
  await scope.db.all(factors.setRole, { team: scope.team, id: from.id, role: 'admin', at: scope.now });
  await scope.db.all(factors.setRole, { team: scope.team, id: to.id, role: 'owner', at: scope.now });
  await pipelined([
    () => forgetPerson(accounts, scope, from.id),
    () => forgetPerson(accounts, scope, to.id),
    () => record(scope, ownershipTransferred, scope.team, { fromUserId: from.id, toUserId: to.id }),
    () => queueMail(scope.db, { to: from.email, team: scope.team, ...accountMail(from.locale, 'ownershipGiven', from.first_name) }),
    () => queueMail(scope.db, { to: to.email, team: scope.team, ...accountMail(to.locale, 'ownershipTaken', to.first_name) }),
  ]);
}

/** In a closed team no user could lift a hold. */
async function refuseUnderLegalHold({ hasLegalHold }: Accounts, { db, team }: Scope): Promise<void> {
  if ((await db.first(hasLegalHold, { team }))?.on_hold !== false)
    throw accountProblems.team_legal_hold_active(
      'Your team has active legal holds and would be closed with your account. Lift them first.',
    );
}

/**
 * Deletes the person who sends the request: every sign-in ends, all memberships end, and personal data is erased. The identifier stays for the
 * journals. A team without other members is closed. Errors: 401 `reauthentication_required`, 403 `account_managed_by_team`, 409 `team_owner_must_transfer`,
 * `team_legal_hold_active`.
 */
export async function deleteAccount(accounts: Accounts, scope: Scope, session: string): Promise<void> {
  const teams = await listTeams(scope.db);
  const ids = teams.map(({ id }) => id);
  for (const team of ids.toSorted()) await scope.db.all(lockMembers, { team });
  const caller = scope.actor.type === 'user' ? scope.actor.id : undefined;
  if (caller !== undefined) {
    // The person before the memberships, as in each change of credentials, and these before the resources that a successor gets.
    await scope.db.all(lockPerson, { account: caller });
    await inTeams(scope, ids, async ({ db, team }) => void (await db.all(lockMembership, { team, account: caller })));
  }
  const person = await requireOwnProof(scope, session);
  const id = person.account_id;
  const managing = await scope.db.first(managingTeam, { id });
  if (managing)
    throw accountProblems.account_managed_by_team(
      `The directory of the team ${managing.name} manages your account. Ask an administrator of the team to remove you there.`,
    );
  const owned = new Set(teams.filter(({ role }) => role === 'owner').map((team) => team.id));
  const blocking: { id: string; name: string }[] = [];
  await inTeams(scope, [...owned], async ({ db, team }) => {
    const left = await db.first(factors.otherMembers, { team, id });
    if (left && left.others > 0) blocking.push({ id: team, name: teams.find((one) => one.id === team)?.name ?? '' });
  });
  if (blocking.length > 0)
    throw accountProblems.team_owner_must_transfer(
      'You own teams with other members; `teams` lists them. First transfer the ownership of each with transfer-ownership, or remove its members.',
      { members: { teams: blocking } },
    );
  await queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'accountDeleted', person.first_name) });
  await inTeams(scope, ids, (one) => leaveWithPerson(accounts, one, id, owned.has(one.team)));
  await pipelined([
    () => endSignIns(accounts, scope, id, null),
    () => scope.db.all(factors.removeFactors, { account: id, at: scope.now }),
    () => scope.db.all(factors.dropPending, { account: id }),
    () => scope.db.all(factors.eraseSignIns, { id }),
    () => scope.db.all(factors.erasePerson, { id, at: scope.now }),
  ]);
  // Last, so that the journal entries of the deletion have no address either.
  await scope.db.sendAdded();
  await inTeams(scope, ids, async ({ db }) => void (await db.all(factors.eraseAddresses, { id })));
}

/** Ends a membership of a deleted person. The work goes to the owner; the team of an owner is closed. Errors: 409 `team_legal_hold_active`. */
async function leaveWithPerson(accounts: Accounts, scope: Scope, id: string, isOwner: boolean): Promise<void> {
  const { db, team, now } = scope;
  const { member, successor } = await pipelined({
    member: () => db.first(accountById, { team, id }),
    successor: () => (isOwner ? undefined : db.first(ownerOfTeam, { team })),
  });
  if (successor && member) await emitMemberLeft(scope, id, { role: member.role, reason: 'account_deleted', successorId: successor.id });
  await endMembership(accounts, scope, id, isOwner ? 'closed' : 'left');
  await recordAudit(scope, userDeleted, id);
  if (!isOwner) return;
  // After the sessions ended: a request of the caller has placed its hold by now, or fails.
  await refuseUnderLegalHold(accounts, scope);
  await db.all(closeTeam, { team, at: now });
  await recordAudit(scope, teamClosed, team);
  db.afterCommit(() => accounts.tokens.forget(`team ${team}`));
}
