import { record, recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { ownershipTransferred, teamClosed, userDeleted } from '../events.ts';
import { lose } from './compromised-account.ts';
import type { Accounts } from '../context.ts';
import { lockAccount } from '../sign-in/credential-queries.ts';
import { dropIdentities } from '../sign-in/federation-queries.ts';
import { accountMail } from '../mails.ts';
import { accountProblems } from '../problems.ts';
import { closeTeam, lockMembers, ownerOfTeam } from './team-transfer-queries.ts';
import { announceLeaving, forgetPerson } from './team-transfer.ts';
import { endSessions, holdPerson } from '../sign-in/credentials.ts';
import { requireRecentSignIn } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

const notOwner = () => accountProblems.not_team_owner('Only the owner of the team can hand it over.');

/**
 * Makes another member the owner, and the owner an administrator. Changes of a team's membership come one after another:
 * of two transfers at once the second finds itself no longer the owner's.
 */
export async function transferOwnership(accounts: Accounts, scope: Scope, session: string, newOwnerId: string): Promise<void> {
  await scope.db.all(lockMembers, { team: scope.team });
  const from = await requireRecentSignIn(scope, session);
  if (from.role !== 'owner') throw notOwner();
  if (newOwnerId === from.account_id) throw accountProblems.already_owner('You own the team already. Name another member.');
  const to = await scope.db.first(factors.activeMember, { team: scope.team, id: newOwnerId });
  if (!to) throw problems.member_not_found('Nobody with this identifier is an active member of your team.');
  for (const { id } of [{ id: from.account_id }, to]) holdPerson(scope, id);
  // One owner at a time, in the index too: the old one steps back first.
  await scope.db.all(factors.setRole, { team: scope.team, id: from.account_id, role: 'admin', at: scope.now });
  await scope.db.all(factors.setRole, { team: scope.team, id: to.id, role: 'owner', at: scope.now });
  await pipelined([
    () => forgetPerson(accounts, scope, from.account_id),
    () => forgetPerson(accounts, scope, to.id),
    () => record(scope, ownershipTransferred, scope.team, { fromUserId: from.account_id, toUserId: to.id }),
    () => queueMail(scope.db, { to: from.email, team: scope.team, ...accountMail(from.locale, 'ownershipGiven', from.first_name) }),
    () => queueMail(scope.db, { to: to.email, team: scope.team, ...accountMail(to.locale, 'ownershipTaken', to.first_name) }),
  ]);
}

/** Of a closed team nobody could lift a hold any more. */
async function refuseUnderLegalHold({ hasLegalHold }: Accounts, { db, team }: Scope): Promise<void> {
  if ((await db.first(hasLegalHold, { team }))?.on_hold !== false)
    throw accountProblems.team_legal_hold_active(
      'Legal holds stand in your team, which would be closed with your account. Lift them first.',
    );
}

/**
 * Deletes the account of the caller: every session ends, personal data is erased, and an identifier without a person
 * stays behind for the journal. The team of a sole owner is closed with it.
 */
export async function deleteAccount(accounts: Accounts, scope: Scope, session: string): Promise<void> {
  await scope.db.all(lockMembers, { team: scope.team });
  // Their row before what is theirs, which goes to an heir: so do all who give them something.
  if (scope.actor.type === 'user') await scope.db.all(lockAccount, { team: scope.team, account: scope.actor.id });
  const person = await requireRecentSignIn(scope, session);
  const id = person.account_id;
  if (person.role === 'owner') {
    const left = await scope.db.first(factors.otherMembers, { team: scope.team, id });
    if (left && left.others > 0)
      throw accountProblems.team_owner_must_transfer('Hand the team over with transfer-ownership, or remove its other members, first.');
  }
  // What they leave behind is named after them, and the mail is addressed, before both are forgotten.
  const successor = person.role === 'owner' ? undefined : await scope.db.first(ownerOfTeam, { team: scope.team });
  if (successor) await announceLeaving(scope, id, { role: person.role, reason: 'account_deleted', successorId: successor.id });
  if (successor) await lose(accounts, scope, id, 'gone');
  await queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'accountDeleted', person.first_name) });
  await pipelined([
    () => endSessions(accounts, scope, id, null),
    () => scope.db.all(factors.removeFactors, { team: scope.team, account: id, at: scope.now }),
    () => scope.db.all(dropIdentities, { team: scope.team, account: id }),
    () => scope.db.all(factors.dropPending, { team: scope.team, account: id }),
    () => scope.db.all(factors.eraseSessions, { team: scope.team, id }),
    () => scope.db.all(factors.eraseAccount, { team: scope.team, id, at: scope.now }),
    () => recordAudit(scope, userDeleted, id),
    // After the sessions: whoever placed a hold by one of them has done so by now, or finds it ended.
    ...(person.role === 'owner' ? [() => refuseUnderLegalHold(accounts, scope)] : []),
    ...(person.role === 'owner'
      ? [() => scope.db.all(closeTeam, { team: scope.team, at: scope.now }), () => recordAudit(scope, teamClosed, scope.team)]
      : []),
  ]);
  if (person.role === 'owner') scope.db.afterCommit(() => accounts.tokens.forget(`team ${scope.team}`));
  // Last, so that the entries of this very act are without an address too.
  await scope.db.sendAdded();
  await scope.db.all(factors.eraseAddresses, { id });
}
