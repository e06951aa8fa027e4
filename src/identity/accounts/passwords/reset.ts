import type { Database } from '../../../platform/database/database.ts';
import type { PassOwner } from '../../../platform/http/device-pass.ts';
import { newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import { enterTeam, type Scope, type RunUnauthenticated } from '../../../platform/scope.ts';
import { passwordChanged, passwordReset, resetRequested } from '../events.ts';
import { lose } from '../membership/compromised-account.ts';
import type { Accounts } from '../context.ts';
import { parseEmail } from '../emails.ts';
import { sessionOfDevice } from '../sign-in/known-device.ts';
import { accountMail } from '../mails.ts';
import { passwordError } from './passwords.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { endSession, endSessions, holdPerson } from '../sign-in/credentials.ts';
import { emailOf, refused, sendNewCode, spendProof } from '../registration/register.ts';
import { type Device, openSession } from '../sign-in/open-session.ts';
import { checkOwnPassword } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The page that takes the new password. The token stands behind `#`, which browsers send to no server. */
export function resetLink(accounts: Accounts, token: string): string {
  return `${accounts.settings.baseUrl}/reset-password#token=${token}`;
}

/** Mails a link that sets a new password; says nothing of whether the address has an account. */
export async function requestReset(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: { altcha?: unknown; email: string },
  device: Device & { refreshCookie: string | undefined },
  now: Date,
): Promise<void> {
  const email = emailOf(input.email);
  await spendProof(accounts, database, input.altcha, 'reset', now);
  const within = await database.withoutTeam((tx) => accounts.throttle.take(tx, accounts.throttle.request(device.ip)));
  if (!within)
    throw problems.rate_limited('Too many requests came from your address. Try again in an hour.', { headers: { 'retry-after': '3600' } });
  const own = await sessionOfDevice(accounts, database, device.refreshCookie);
  await inPublic(async (outer) => {
    const {
      account,
      registrationsOf: [pending],
    } = await pipelined({
      account: () => outer.db.first(queries.accountByEmail, { emailKey: email.key }),
      registrationsOf: () => outer.db.all(queries.registrationsOf, { emailKey: email.key }),
    });
    const asker = own && own.account === account?.id ? { known: own.session } : { place: device.ip ?? '' };
    if (!(await accounts.throttle.mayMail(outer.db, 'reset', email.key, asker))) return;
    if (!account) {
      if (pending) await sendNewCode(accounts, outer.db, email.key, pending);
      return;
    }
    const token = newToken();
    const scope = enterTeam(outer, account.team_id, { type: 'user', id: account.id });
    const person = await scope.db.first(queries.accountById, { team: account.team_id, id: account.id });
    scope.db.send(queries.putReset, {
      team: account.team_id,
      account: account.id,
      epoch: account.credential_epoch,
      hash: tokenHash(token),
      lives: accounts.settings.lifetimes.resetLink,
    });
    await pipelined([
      () =>
        queueMail(scope.db, {
          to: account.email,
          team: account.team_id,
          ...accountMail(
            account.locale,
            'passwordReset',
            person?.first_name ?? '',
            resetLink(accounts, token),
            accounts.settings.lifetimes.resetLink,
          ),
        }),
      () => recordAudit(scope, resetRequested, account.id),
    ]);
  });
}

const invalidToken = () => accountProblems.invalid_or_expired_token('The link is wrong, was used, or is too old. Request a new one.');

/**
 * Sets a new password by link. A password that is refused does not use the link up; every session ends, and strangers’
 * guesses no longer hold up the password. Returns whose it is now.
 */
export async function resetPassword(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: { password: string; token: string },
): Promise<PassOwner> {
  const hash = tokenHash(input.token);
  const found = await database.withoutTeam((tx) => tx.first(queries.resetByToken, { hash }));
  const person = found && (await database.reader(found.team_id).first(queries.accountById, { team: found.team_id, id: found.account_id }));
  await refusePassword(accounts, input.password, 'password', person);
  if (!found || !person) throw invalidToken();
  const passwordHash = await accounts.hasher.hash(input.password);
  await inPublic(async (outer) => {
    const scope = enterTeam(outer, found.team_id, { type: 'user', id: found.account_id });
    holdPerson(scope, found.account_id);
    const taken = await scope.db.first(queries.takeReset, { team: found.team_id, account: found.account_id, hash });
    if (!taken) throw invalidToken();
    scope.db.send(queries.setPassword, { team: found.team_id, id: person.id, hash: passwordHash, at: scope.now });
    scope.db.send(factors.dropPending, { team: found.team_id, account: person.id });
    await pipelined([
      () => endSessions(accounts, scope, person.id, null),
      () => lose(accounts, scope, person.id, 'reset'),
      () =>
        accounts.throttle.clear(
          scope.db,
          accounts.throttle.signIn(parseEmail(person.email)?.key ?? '', undefined, 'unknown device').slice(2),
        ),
      () => recordAudit(scope, passwordReset, person.id),
      () =>
        queueMail(scope.db, { to: person.email, team: found.team_id, ...accountMail(person.locale, 'passwordChanged', person.first_name) }),
    ]);
  });
  return { id: person.id, passwordHash };
}

async function refusePassword(accounts: Accounts, password: string, member: string, person: queries.AccountRow | undefined): Promise<void> {
  const error = await passwordError(password, {
    minLength: accounts.settings.passwordMinLength,
    email: parseEmail(person?.email ?? '')?.key ?? '',
    firstName: person?.first_name ?? '',
    lastName: person?.last_name ?? '',
  });
  if (error) throw refused(member, error.reason, error.rule);
}

/** Checks what a change of password needs, and hashes the new one, before a transaction is opened. */
export async function preparePasswordChange(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  who: { team: string; id: string; ip: string | undefined },
  input: { currentPassword: string; newPassword: string },
): Promise<string> {
  const person = await checkOwnPassword(accounts, database, inPublic, who, input.currentPassword, 'currentPassword');
  if (input.newPassword.normalize('NFKC') === input.currentPassword.normalize('NFKC')) {
    throw accountProblems.password_unchanged('Choose a password that differs from the current one.');
  }
  await refusePassword(accounts, input.newPassword, 'newPassword', person);
  return accounts.hasher.hash(input.newPassword);
}

const sessionEnded = () => problems.invalid_token('The session has ended. Sign in again.');

/**
 * Sets the prepared password, ends every session and opens a new one for this device, as strong and as recent as the
 * one it replaces: a second factor that was shown is not asked for again, nor is it renewed.
 */
export async function changePassword(
  accounts: Accounts,
  scope: Scope,
  id: string,
  sessionId: string,
  passwordHash: string,
  device: Device,
) {
  holdPerson(scope, id);
  const { person, session } = await pipelined({
    person: () => scope.db.first(queries.accountById, { team: scope.team, id }),
    session: () => scope.db.first(factors.assuranceOf, { team: scope.team, session: sessionId }),
  });
  if (!person || !session) throw sessionEnded();
  scope.db.send(queries.setPassword, { team: scope.team, id, hash: passwordHash, at: scope.now });
  scope.db.send(factors.dropPending, { team: scope.team, account: id });
  await pipelined([
    () => endSession(accounts, scope, sessionId, id, 'revoked'),
    () => endSessions(accounts, scope, id, sessionId),
    () => recordAudit(scope, passwordChanged, id),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'passwordChanged', person.first_name) }),
  ]);
  const shown = session.second_factor_at === null ? undefined : new Date(session.second_factor_at);
  const proven = person.two_factor_enabled
    ? { amr: session.amr, acr: session.acr, authTime: new Date(session.auth_time), secondFactorAt: shown }
    : { amr: ['pwd'], acr: 'aal1' };
  // One epoch later: it is the change of the password that has begun it.
  const subject = { id, epoch: person.credential_epoch + 1, changed: sessionEnded };
  const { connection_id: connection } = session;
  return openSession(accounts, scope, subject, device, { ...proven, ...(connection === null ? {} : { connection }) });
}
