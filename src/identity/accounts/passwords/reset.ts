import type { Database } from '../../../platform/database/database.ts';
import type { PassOwner } from '../../../platform/http/device-pass.ts';
import { newToken, tokenHash } from '../../../platform/crypto/tokens.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import type { Scope, RunUnauthenticated } from '../../../platform/scope.ts';
import { passwordChanged, passwordReset, resetRequested } from '../events.ts';
import { lose } from '../membership/compromised-account.ts';
import type { Accounts, AccountSettings } from '../context.ts';
import { parseEmail } from '../emails.ts';
import { sessionOfDevice } from '../sign-in/known-device.ts';
import { accountMail } from '../mails.ts';
import { passwordError } from './passwords.ts';
import { accountProblems } from '../problems.ts';
import { inEachTeam } from '../membership/teams-of-person.ts';
import * as queries from '../queries.ts';
import { endSignIn, endSignIns, lockPersonCredentials } from '../sign-in/credentials.ts';
import { emailOf, refused, sendNewCode, spendProof } from '../registration/register.ts';
import { type Device, openSession } from '../sign-in/open-session.ts';
import { checkOwnPassword } from '../sign-in/reauthentication.ts';
import * as factors from '../two-factor/queries.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The page that sets the new password. The token follows `#`, because browsers do not send that part to a server. */
export function resetLink(settings: Pick<AccountSettings, 'baseUrl'>, token: string): string {
  return `${settings.baseUrl}/reset-password#token=${token}`;
}

/** Mails a link that sets a new password. The response does not reveal whether the address has an account. */
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
    throw problems.rate_limited('Too many requests from your network. Try again in an hour.', { headers: { 'retry-after': '3600' } });
  const own = await sessionOfDevice(accounts, database, device.refreshCookie);
  await inPublic(async (outer) => {
    const {
      account,
      registrationsOf: [pending],
    } = await pipelined({
      account: () => outer.db.first(queries.personByEmail, { emailKey: email.key }),
      registrationsOf: () => outer.db.all(queries.registrationsOf, { emailKey: email.key }),
    });
    const asker = own && own.account === account?.id ? { known: own.session } : { place: device.ip ?? '' };
    if (!(await accounts.throttle.mayMail(outer.db, 'reset', email.key, asker))) return;
    if (!account) {
      if (pending && accounts.settings.registration === 'open') await sendNewCode(accounts, outer.db, email.key, pending);
      return;
    }
    const token = newToken();
    const { id } = account;
    outer.db.enterPerson(id);
    const person = await outer.db.first(queries.personById, { id });
    const lives = accounts.settings.lifetimes.resetLink;
    outer.db.send(queries.putReset, { account: id, epoch: account.credential_epoch, hash: tokenHash(token), lives });
    await pipelined([
      () =>
        queueMail(outer.db, {
          to: account.email,
          team: null,
          ...accountMail(account.locale, 'passwordReset', person?.first_name ?? '', resetLink(accounts.settings, token), lives),
        }),
      () => inEachTeam({ ...outer, team: '', actor: { type: 'user', id } }, (scope) => recordAudit(scope, resetRequested, id)),
    ]);
  });
}

const invalidToken = () => accountProblems.invalid_or_expired_token('The link is wrong, used or expired. Request a new one.');

/**
 * Sets a new password by link. A rejected password leaves the link valid. All sessions
 * end, and the counters of wrong guesses are reset. Returns the owner of the password.
 */
export async function resetPassword(
  accounts: Accounts,
  database: Database,
  inPublic: RunUnauthenticated,
  input: { password: string; token: string },
): Promise<PassOwner> {
  const hash = tokenHash(input.token);
  const found = await database.withoutTeam((tx) => tx.first(queries.resetByToken, { hash }));
  const person = found && (await database.reader('', found.person_id).first(queries.personById, { id: found.person_id }));
  await refusePassword(accounts, input.password, 'password', person);
  if (!found || !person) throw invalidToken();
  const passwordHash = await accounts.hasher.hash(input.password);
  const { id } = person;
  await inPublic(async (outer) => {
    outer.db.enterPerson(id);
    const scope: Scope = { ...outer, team: '', actor: { type: 'user', id } };
    lockPersonCredentials(scope, id);
    const taken = await scope.db.first(queries.takeReset, { account: id, hash });
    if (!taken) throw invalidToken();
    scope.db.send(queries.setPassword, { id, hash: passwordHash, at: scope.now });
    scope.db.send(factors.dropPending, { account: id });
    await endSignIns(accounts, scope, id, null);
    await accounts.throttle.clear(
      scope.db,
      accounts.throttle.signIn(parseEmail(person.email)?.key ?? '', undefined, 'unknown device').slice(2),
    );
    await queueMail(scope.db, { to: person.email, team: null, ...accountMail(person.locale, 'passwordChanged', person.first_name) });
    await inEachTeam(scope, async (one) => {
      await lose(accounts, one, id, 'reset');
      await recordAudit(one, passwordReset, id);
    });
  });
  return { id, passwordHash };
}

async function refusePassword(
  accounts: Accounts,
  password: string,
  member: string,
  person: Pick<queries.PersonRow, 'email' | 'first_name' | 'last_name'> | undefined,
): Promise<void> {
  const error = await passwordError(password, {
    minLength: accounts.settings.passwordMinLength,
    email: parseEmail(person?.email ?? '')?.key ?? '',
    firstName: person?.first_name ?? '',
    lastName: person?.last_name ?? '',
  });
  if (error) throw refused(member, error.reason, error.rule);
}

/** Checks the requirements of a password change and hashes the new one, before the transaction. */
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
 * Sets the prepared password, ends all sessions and opens a new one for this device
 * with the same level and age. A second factor is neither required again nor renewed.
 */
export async function changePassword(
  accounts: Accounts,
  scope: Scope,
  id: string,
  sessionId: string,
  passwordHash: string,
  device: Device,
) {
  lockPersonCredentials(scope, id);
  const { person, session } = await pipelined({
    person: () => scope.db.first(queries.ownAccount, { team: scope.team, id }),
    session: () => scope.db.first(factors.assuranceOf, { team: scope.team, session: sessionId }),
  });
  if (!person || !session) throw sessionEnded();
  scope.db.send(queries.setPassword, { id, hash: passwordHash, at: scope.now });
  scope.db.send(factors.dropPending, { account: id });
  await pipelined([
    () => endSignIn(accounts, scope, sessionId, id, 'revoked'),
    () => endSignIns(accounts, scope, id, sessionId),
    () => inEachTeam(scope, (one) => recordAudit(one, passwordChanged, id)),
    () => queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'passwordChanged', person.first_name) }),
  ]);
  const shown = session.second_factor_at === null ? undefined : new Date(session.second_factor_at);
  const proven = person.two_factor_enabled
    ? { amr: session.amr, acr: session.acr, authTime: new Date(session.auth_time), secondFactorAt: shown }
    : { amr: ['pwd'], acr: 'aal1' };
  // The password change has increased the epoch by one.
  const subject = { id, epoch: person.credential_epoch + 1, changed: sessionEnded };
  const { connection_id: connection } = session;
  return openSession(accounts, scope, subject, device, {
    ...proven,
    ownProofAt: scope.now,
    ...(connection === null ? {} : { connection }),
  });
}
