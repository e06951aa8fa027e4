import { randomUUIDv7 } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/errors.ts';
import { equalInConstantTime, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { PublicScope, Scope } from '../../../platform/scope.ts';
import { emailVerified, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { createOwnTeam } from '../membership/teams-of-person.ts';
import { resetLink } from '../passwords/reset.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { codeHmac, emailOf, requireOpenRegistration } from './register.ts';
import { type Device, firstEpoch, openSession, type SignedIn } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** A first session, and whether the address has a pending invitation. */
type Verified = SignedIn & { invitationWaits: boolean };

const maxTries = 5;
/** Number of the newest mailed codes with which a guess is compared. The limit prevents that more mails make guessing easier. */
const newestCodes = 5;

const invalidCode = () => accountProblems.invalid_or_expired_code('The code is wrong, used or expired. Request a new one.');

/**
 * Confirms an address and creates the account and its team. A valid code proves ownership of the mailbox. The device that
 * registered decides whose password is activated. The result reports a pending invitation, which the user accepts separately.
 */
export async function verifyEmail(
  accounts: Accounts,
  database: Database,
  inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>,
  input: { code: string; email: string },
  device: Device & { registered: string | undefined },
): Promise<Verified> {
  requireOpenRegistration(accounts);
  const email = emailOf(input.email);
  const code = input.code.replaceAll(/[\s-]/g, '');
  const buckets = await database.withoutTeam(async (tx) => {
    const cookie = device.registered === undefined ? undefined : tokenHash(device.registered);
    const own = cookie && (await tx.first(queries.registeredBy, { emailKey: email.key, device: cookie }));
    const counted = accounts.throttle.codeEntry(email.key, own && cookie);
    await accounts.throttle.check(tx, counted);
    return counted;
  });
  const expected = codeHmac(accounts, email.key, code);
  const signedIn = await inPublic(async (scope) => {
    const attempts = await scope.db.all(queries.registrationsOf, { emailKey: email.key });
    const [newest] = attempts;
    const chosen = await chooseAttempt(scope.db, email.key, newest, device.registered);
    const known =
      /^\d{6}$/.test(code) &&
      [...(chosen ? [chosen] : []), ...attempts.slice(0, newestCodes)].some(
        ({ code_hmac, code_live, tries }) =>
          code_hmac !== null && code_live && tries < maxTries && equalInConstantTime(code_hmac, expected),
      );
    if (!known || !newest) {
      // The registrations are locked, so concurrent guesses wait and see all earlier tries.
      await scope.db.all(queries.countTry, { emailKey: email.key });
      return undefined;
    }
    await scope.db.all(queries.takeRegistrations, { emailKey: email.key });
    return found(accounts, scope, chosen ?? newest, email.key, device, chosen ? 'with password' : 'without password');
  }).catch((error: unknown) => {
    // A concurrent request verified the same address.
    if (violates(error, 'person_email_once')) throw invalidCode();
    throw error;
  });
  if (signedIn) return signedIn;
  await accounts.throttle.count(database, buckets);
  throw invalidCode();
}

/**
 * Chooses the registration whose password is activated. With a device cookie it is that device’s own registration, or none. Without
 * a cookie it is the newest, if all came from one network. Otherwise several users claim the address, and a mail to it decides.
 */
async function chooseAttempt(
  tx: Transaction,
  emailKey: string,
  newest: queries.Registration | undefined,
  cookie: string | undefined,
): Promise<queries.Registration | undefined> {
  if (cookie !== undefined) return tx.first(queries.registrationBy, { emailKey, device: tokenHash(cookie) });
  const places = await tx.first(queries.placesOf, { emailKey });
  return places?.places === 1 ? newest : undefined;
}

/** Creates the account and a new team that it owns, and signs the user in. */
async function found(
  accounts: Accounts,
  outer: PublicScope,
  attempt: queries.Registration,
  emailKey: string,
  device: Device,
  password: 'with password' | 'without password',
): Promise<Verified> {
  const id = randomUUIDv7();
  const invitationWaits = await accounts.invitationWaits(outer, emailKey);
  outer.db.enterPerson(id);
  outer.db.send(queries.insertPerson, {
    id,
    email: attempt.email,
    emailKey,
    firstName: attempt.first_name,
    lastName: attempt.last_name,
    locale: attempt.locale,
    passwordHash: password === 'with password' ? attempt.password_hash : null,
    at: outer.now,
  });
  const scope = await createOwnTeam(outer, { id, name: `${attempt.first_name} ${attempt.last_name}` });
  await pipelined([
    () => recordAudit(scope, userRegistered, id),
    () => recordAudit(scope, emailVerified, id),
    () =>
      password === 'without password'
        ? sendSetPassword(accounts, scope, { id, email: attempt.email, firstName: attempt.first_name, locale: attempt.locale })
        : undefined,
  ]);
  const session = await openSession(accounts, scope, { id, epoch: firstEpoch, changed: invalidCode }, device, {
    amr: ['otp'],
    acr: 'aal1',
  });
  return { ...session, invitationWaits };
}

async function sendSetPassword(
  accounts: Accounts,
  { db: tx, team }: Scope,
  person: { id: string; email: string; firstName: string; locale: string },
): Promise<void> {
  const token = newToken();
  tx.send(queries.putReset, {
    account: person.id,
    epoch: firstEpoch,
    hash: tokenHash(token),
    lives: accounts.settings.lifetimes.resetLink,
  });
  await queueMail(tx, {
    to: person.email,
    team,
    ...accountMail(
      person.locale,
      'passwordReset',
      person.firstName,
      resetLink(accounts.settings, token),
      accounts.settings.lifetimes.resetLink,
    ),
  });
}
