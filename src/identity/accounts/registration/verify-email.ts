import { randomUUIDv7 } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { violates } from '../../../platform/database/errors.ts';
import { equalInConstantTime, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { enterTeam, type PublicScope } from '../../../platform/scope.ts';
import { emailVerified, memberJoined, userRegistered } from '../events.ts';
import type { Accounts } from '../context.ts';
import { accountMail } from '../mails.ts';
import { resetLink } from '../passwords/reset.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { codeHmac, emailOf } from './register.ts';
import { type Device, firstEpoch, openSession, type SignedIn } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** A first session, and whether an invitation waits for the address. */
type Verified = SignedIn & { invitationWaits: boolean };

const maxTries = 5;
/** How many mailed codes a guess is compared with, so that asking for many mails makes guessing no easier. */
const newestCodes = 5;

const invalidCode = () => accountProblems.invalid_or_expired_code('The code is wrong, was used, or is too old. Ask for a new one.');

/**
 * Confirms an address. Whoever knows a living code of the address owns its mailbox; whose password is activated is
 * another question, answered by the device that registered. Account and team come into being here; that an invitation waits
 * for the address is said, and the person joins by one more act.
 */
export async function verifyEmail(
  accounts: Accounts,
  database: Database,
  inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>,
  input: { code: string; email: string },
  device: Device & { registered: string | undefined },
): Promise<Verified> {
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
      // While the attempts are held: who guesses at once waits, and finds the tries of those before.
      await scope.db.all(queries.countTry, { emailKey: email.key });
      return undefined;
    }
    await scope.db.all(queries.takeRegistrations, { emailKey: email.key });
    return found(accounts, scope, chosen ?? newest, email.key, device, chosen ? 'with password' : 'without password');
  }).catch((error: unknown) => {
    // Somebody verified the same address in this moment.
    if (violates(error, 'account_email_once')) throw invalidCode();
    throw error;
  });
  if (signedIn) return signedIn;
  await accounts.throttle.count(database, buckets);
  throw invalidCode();
}

/**
 * Whose password is activated: the attempt of this very device, looked up by itself, however many others there are. A
 * device that says which attempt is its own and has none activates nobody's. Without such a cookie it is the newest, if
 * all came from one place. Otherwise two people claim the address, and a mail to it decides.
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

/** Makes the account, in a new team that it owns, and signs it in. */
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
  const scope = enterTeam(outer, randomUUIDv7(), { type: 'user', id });
  const { team } = scope;
  const role = 'owner';
  scope.db.send(queries.insertTeam, { team, name: `${attempt.first_name} ${attempt.last_name}`, at: scope.now });
  scope.db.send(queries.insertAccount, {
    team,
    id,
    email: attempt.email,
    emailKey,
    firstName: attempt.first_name,
    lastName: attempt.last_name,
    role,
    locale: attempt.locale,
    passwordHash: password === 'with password' ? attempt.password_hash : null,
    at: scope.now,
  });
  await pipelined([
    () => recordAudit(scope, userRegistered, id),
    () => recordAudit(scope, emailVerified, id),
    () => record(scope, memberJoined, id, { role }),
    () =>
      password === 'without password'
        ? sendSetPassword(accounts, scope.db, { team, id, email: attempt.email, firstName: attempt.first_name, locale: attempt.locale })
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
  tx: Transaction,
  person: { team: string; id: string; email: string; firstName: string; locale: string },
): Promise<void> {
  const token = newToken();
  tx.send(queries.putReset, {
    team: person.team,
    account: person.id,
    epoch: firstEpoch,
    hash: tokenHash(token),
    lives: accounts.settings.lifetimes.resetLink,
  });
  await queueMail(tx, {
    to: person.email,
    team: person.team,
    ...accountMail(person.locale, 'passwordReset', person.firstName, resetLink(accounts, token), accounts.settings.lifetimes.resetLink),
  });
}
