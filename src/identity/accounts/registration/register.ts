import { randomUUIDv7 } from 'node:crypto';
import type { Database, Transaction } from '../../../platform/database/database.ts';
import { hmac, newCode, newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { addressBlock } from '../../../platform/http/client-ip.ts';
import { withMinimumDuration } from '../../../platform/http/minimum-duration.ts';
import { proofAlreadyUsed, requireProof } from '../../../platform/http/proof-of-work.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import { normalText, refuseLink } from '../../../platform/text.ts';
import type { Accounts } from '../context.ts';
import { type EmailAddress, parseEmail } from '../emails.ts';
import { accountMail } from '../mails.ts';
import { passwordError } from '../passwords/passwords.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import type { Device } from '../sign-in/open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

export type RegisterInput = { altcha?: unknown; email: string; firstName: string; lastName: string; password: string };

const unprintable = /[\p{Cc}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/u;

/** Returns a valid name: 1 to 100 printable code points, without text that mails turn into a link. Throws 400 or 422. */
export function cleanPersonName(value: string, member: string): string {
  const name = normalText(value).trim();
  const length = Array.from(name).length;
  const reason =
    length < 1 || length > 100
      ? 'must have 1 to 100 characters'
      : unprintable.test(name)
        ? 'must not contain control characters'
        : undefined;
  if (reason !== undefined) throw refused(member, reason, 'name');
  refuseLink(name, member);
  return name;
}

export function emailOf(value: string): EmailAddress {
  const email = parseEmail(value);
  if (!email) throw refused('email', 'must be an e-mail address', 'email');
  return email;
}

export function refused(member: string, reason: string, rule: string) {
  return problems.validation_failed(`\`${member}\` ${reason}.`, { errors: [{ name: member, pointer: `/${member}`, reason, rule }] });
}

/** Returns the clean names of a new user and checks the password against the policy. */
export async function checkPerson(
  accounts: Accounts,
  emailKey: string,
  input: { firstName: string; lastName: string; password: string },
): Promise<{ firstName: string; lastName: string }> {
  const firstName = cleanPersonName(input.firstName, 'firstName');
  const lastName = cleanPersonName(input.lastName, 'lastName');
  const error = await passwordError(input.password, {
    minLength: accounts.settings.passwordMinLength,
    email: emailKey,
    firstName,
    lastName,
  });
  if (error) throw refused('password', error.reason, error.rule);
  return { firstName, lastName };
}

/** Throws 403 `registration_by_invitation` if registration is closed. Call it before any look-up of the address. */
export function requireOpenRegistration({ settings }: Accounts): void {
  if (settings.registration === 'open') return;
  throw accountProblems.registration_by_invitation(
    'Registration is by invitation. Ask the owner or an administrator of a team for one, or the operator of the service.',
  );
}

const challengePath = '/api/v1/security/auth/altcha';

/** Checks a required proof of work and marks it as used, before any lookup or hashing. */
export async function spendProof(
  accounts: Accounts,
  database: Database,
  proof: unknown,
  action: 'register' | 'reset',
  now: Date,
): Promise<void> {
  if (accounts.settings.altcha === 'off') return;
  const checked = await requireProof(proof, { key: accounts.keys.altcha, action, now, from: challengePath });
  const spent = await database.withoutTeam((tx) => tx.first(queries.spendProof, checked));
  if (!spent) throw proofAlreadyUsed(challengePath);
}

/**
 * Starts a registration with the same response and the same work for every address. A new address gets a code. An address with an account gets a mail
 * about the registration. Returns the value of the cookie that identifies this device.
 */
export async function register(
  accounts: Accounts,
  database: Database,
  input: RegisterInput,
  device: Device & { language: string },
  now: Date,
): Promise<{ device: string }> {
  requireOpenRegistration(accounts);
  const email = emailOf(input.email);
  const { firstName, lastName } = await checkPerson(accounts, email.key, input);
  await spendProof(accounts, database, input.altcha, 'register', now);
  const within = await database.withoutTeam((tx) => accounts.throttle.take(tx, accounts.throttle.request(device.ip)));
  if (!within)
    throw problems.rate_limited('Too many registrations from your network. Try again in an hour.', {
      headers: { 'retry-after': '3600' },
    });

  const passwordHash = await accounts.hasher.hash(input.password);
  const deviceToken = newToken();
  // Only after the hash, because its waiting time does not depend on the address.
  await withMinimumDuration(() => keepAttempt(accounts, database, { email, firstName, lastName, passwordHash, deviceToken }, device));
  return { device: deviceToken };
}

type RegistrationAttempt = { email: EmailAddress; firstName: string; lastName: string; passwordHash: string; deviceToken: string };

/** Stores a separate registration for each attempt. An address with an account gets a mail about the attempt instead. */
async function keepAttempt(
  accounts: Accounts,
  database: Database,
  { email, firstName, lastName, passwordHash, deviceToken }: RegistrationAttempt,
  device: Device & { language: string },
): Promise<void> {
  await database.withoutTeam(async (tx) => {
    const { account, mayMail } = await pipelined({
      account: () => tx.first(queries.personByEmail, { emailKey: email.key }),
      mayMail: () => accounts.throttle.mayMail(tx, 'registration', email.key, { place: device.ip ?? '' }),
    });
    if (account) {
      // Mail goes to the stored spelling of the address, never to the sent one.
      if (mayMail)
        await queueMail(tx, {
          to: account.email,
          team: null,
          ...accountMail(account.locale, 'alreadyRegistered'),
        });
      return;
    }
    const code = newCode(6);
    const lives = accounts.settings.lifetimes.mailedCode;
    tx.send(queries.insertRegistration, {
      id: randomUUIDv7(),
      email: email.address,
      emailKey: email.key,
      firstName,
      lastName,
      locale: device.language,
      passwordHash,
      deviceHash: tokenHash(deviceToken),
      originHash: originOf(accounts, device),
      codeHmac: mayMail ? codeHmac(accounts, email.key, code) : null,
      lives,
    });
    await pipelined([
      () =>
        mayMail
          ? queueMail(tx, { to: email.address, team: null, ...accountMail(device.language, 'verification', firstName, code, lives) })
          : undefined,
    ]);
  });
}

/** Sends a new code for the newest registration of an address. The response does not reveal whether one exists. */
export async function resendVerification(
  accounts: Accounts,
  database: Database,
  given: string,
  device: Device & { registered: string | undefined },
): Promise<void> {
  requireOpenRegistration(accounts);
  const email = emailOf(given);
  const cookie = device.registered === undefined ? undefined : tokenHash(device.registered);
  await database.withoutTeam(async (tx) => {
    const own = cookie && (await tx.first(queries.registeredBy, { emailKey: email.key, device: cookie }));
    const asker = own && cookie ? { known: cookie.toString('hex') } : { place: device.ip ?? '' };
    const {
      registrationsOf: [newest],
      mayMail,
    } = await pipelined({
      registrationsOf: () => tx.all(queries.registrationsOf, { emailKey: email.key }),
      mayMail: () => accounts.throttle.mayMail(tx, 'new code', email.key, asker),
    });
    if (newest && mayMail) await sendNewCode(accounts, tx, email.key, newest);
  });
}

export async function sendNewCode(
  accounts: Accounts,
  tx: Transaction,
  emailKey: string,
  registration: queries.Registration,
): Promise<void> {
  const code = newCode(6);
  const lives = accounts.settings.lifetimes.mailedCode;
  tx.send(queries.renewCode, { id: registration.id, codeHmac: codeHmac(accounts, emailKey, code), lives });
  await queueMail(tx, {
    to: registration.email,
    team: null,
    ...accountMail(registration.locale, 'verification', registration.first_name, code, lives),
  });
}

export function codeHmac(accounts: Accounts, emailKey: string, code: string): Buffer {
  return hmac(accounts.keys.codes, 'verification', emailKey, code);
}

function originOf(accounts: Accounts, device: Device): Buffer {
  return hmac(accounts.keys.origins, addressBlock(device.ip ?? ''), device.userAgent ?? '');
}
