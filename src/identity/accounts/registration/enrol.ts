import { violates } from '../../../platform/database/errors.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import type { PublicScope, Scope } from '../../../platform/scope.ts';
import { emailVerified, memberJoined, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import type { Role } from '../roles.ts';
import { type Device, firstEpoch, openSession, type SignedIn } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** Somebody without an account whose address is proven, since a mail to it brought them. `emailKey`: what it is compared by. */
export type Newcomer = {
  id: string;
  email: string;
  emailKey: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  role: Role;
  locale: string;
  invitationId: string;
};

/**
 * Drops the registrations of an address that wait for a code: whoever made them, the mailbox has decided otherwise. To be
 * called before any lock is taken: confirming by code takes them first as well.
 */
export async function dropRegistrations(scope: PublicScope, emailKey: string): Promise<void> {
  await scope.db.all(queries.takeRegistrations, { emailKey });
}

/** Makes an account in the team of the scope and signs it in. Errors: 409 `account_exists`. */
export async function enrol(accounts: Accounts, scope: Scope, { invitationId, ...person }: Newcomer, device: Device): Promise<SignedIn> {
  await pipelined([
    () => scope.db.all(queries.insertAccount, { team: scope.team, ...person, at: scope.now }),
    () => recordAudit(scope, userRegistered, person.id),
    () => recordAudit(scope, emailVerified, person.id),
    () => record(scope, memberJoined, person.id, { role: person.role, invitationId }),
  ]).catch((error: unknown) => {
    if (violates(error, 'account_email_once')) throw accountExists();
    throw error;
  });
  const subject = { id: person.id, epoch: firstEpoch, changed: accountExists };
  return openSession(accounts, scope, subject, device, { amr: ['otp'], acr: 'aal1' });
}

export function accountExists() {
  return accountProblems.account_exists('The invited address has an account. Sign in with it, and accept the invitation again.');
}
