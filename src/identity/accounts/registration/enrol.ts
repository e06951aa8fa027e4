import { violates } from '../../../platform/database/errors.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { PublicScope, Scope } from '../../../platform/scope.ts';
import { emailVerified, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { joinTeam, type Joining } from '../membership/teams-of-person.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { type Device, firstEpoch, openSession, type SignedIn } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** A new user who opened a mailed link, which verifies the address. `emailKey`: the address for comparison. */
export type Newcomer = {
  id: string;
  email: string;
  emailKey: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  locale: string;
  joining: Joining;
};

/**
 * Deletes all pending registrations of an address, because its mailbox has now confirmed it. Call this before you acquire other locks, in the same
 * order as the confirmation by code.
 */
export async function dropRegistrations(scope: PublicScope, emailKey: string): Promise<void> {
  await scope.db.all(queries.takeRegistrations, { emailKey });
}

/** Creates an account in the team of the scope and signs it in. Throws 409 `account_exists`. */
export async function enrol(accounts: Accounts, scope: Scope, { joining, ...person }: Newcomer, device: Device): Promise<SignedIn> {
  await pipelined([
    () => scope.db.all(queries.insertPerson, { ...person, at: scope.now }),
    () => joinTeam(scope, person.id, joining),
    () => recordAudit(scope, userRegistered, person.id),
    () => recordAudit(scope, emailVerified, person.id),
  ]).catch((error: unknown) => {
    if (violates(error, 'person_email_once')) throw accountExists();
    throw error;
  });
  const subject = { id: person.id, epoch: firstEpoch, changed: accountExists };
  return openSession(accounts, scope, subject, device, { amr: ['otp'], acr: 'aal1' });
}

export function accountExists() {
  return accountProblems.account_exists('The invited address has an account. Sign in with it, and accept the invitation again.');
}
