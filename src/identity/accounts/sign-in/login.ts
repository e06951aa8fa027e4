import { keysOf, matchesAtSignIn } from '#credentials';
import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type PublicScope, type Scope } from '../../../platform/scope.ts';
import { loginFailed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { parseEmail } from '../emails.ts';
import { sessionOfDevice } from './known-device.ts';
import { notifyGuessing } from '../notices.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { type Challenge, issueChallenge } from '../two-factor/sign-in.ts';
import { type Device, noticeNewDevice, openPlainSession, openSession, refusalOf, type SignedIn, userAgentOf } from './open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** What is known of the request; `inPublic` opens a transaction of it. */
type RequestContext = Omit<PublicScope, 'db' | 'listeners'> & { inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T> };

const wrongPair = () => accountProblems.invalid_credentials('No account has this e-mail address with this password. Check both.');

/**
 * Signs in with a password. One hash is computed whatever the address is, so that neither the time nor the answer tells
 * an unknown address from a wrong password; what is special about an account is said only after the right password.
 */
export async function login(
  accounts: Accounts,
  database: Database,
  request: RequestContext,
  input: { email: string; password: string },
  device: Device & { refreshCookie: string | undefined; pass: string | undefined },
): Promise<SignedIn | Challenge> {
  const emailKey = parseEmail(input.email)?.key ?? input.email.slice(0, 320);
  const { inPublic } = request;
  const { publicReader } = database;
  const claims = device.refreshCookie !== undefined || device.pass !== undefined;
  const strangers = accounts.throttle.signIn(emailKey, device.ip, 'unknown device');
  const { found, owner } = await pipelined({
    found: () => database.batched('').first(queries.signInLookup, { emailKey, keys: claims ? [] : keysOf(strangers) }),
    owner: () => sessionOfDevice(accounts, database, device.refreshCookie),
  });
  accounts.throttle.refuse(found?.blocked_seconds ?? null);
  const account = found?.id == null ? undefined : found;
  // A device that has signed in to this very account is not held up by what strangers do to the address.
  const subject = account && { id: account.id, passwordHash: account.password_hash };
  const known = subject !== undefined && (owner?.account === subject.id || accounts.pass.isOf(device.pass, subject, request.now));
  const buckets = known ? accounts.throttle.signIn(emailKey, device.ip, 'known device') : strangers;
  if (claims) await accounts.throttle.check(publicReader, buckets);

  const hash = account ? (account.password_hash ?? undefined) : (found?.pending_hash ?? undefined);
  // Of many guesses at once the right one is no exception: what it opens is opened only where nothing blocks by then.
  const matches = await matchesAtSignIn(
    { ...accounts, database },
    { given: input.password, hash, buckets },
    {
      note: () => account && note(inPublic, account.team_id, (scope) => recordAudit(scope, loginFailed, account.id)),
      notify: () => account && note(inPublic, account.team_id, (scope) => notifyGuessing(accounts, scope, account.id, 'password')),
    },
  );
  if (!matches) throw wrongPair();
  if (!account) {
    await accounts.throttle.check(publicReader, buckets);
    throw accountProblems.email_not_verified('Confirm the address first, with the code that was mailed to it.');
  }
  const rehashed = hash !== undefined && accounts.hasher.needsRehash(hash) ? await accounts.hasher.hash(input.password) : undefined;
  if (rehashed === undefined) {
    const right = {
      team: account.team_id,
      account: account.id,
      epoch: account.credential_epoch,
      device,
      keys: keysOf(buckets),
      renewed: buckets[0].key,
    };
    const signedIn = await openPlainSession(accounts, database.batched(account.team_id, account.id), request, right);
    if (signedIn) return signedIn;
  }
  return inPublic((outer) => {
    const scope = enterTeam(outer, account.team_id, { type: 'user', id: account.id });
    if (rehashed !== undefined && hash !== undefined)
      scope.db.send(queries.rehashPassword, { team: account.team_id, id: account.id, old: hash, hash: rehashed });
    return openOrChallenge(accounts, scope, { id: account.id, epoch: account.credential_epoch, buckets }, device);
  });
}

/** Opens a session after the right password, or asks for the second factor. */
async function openOrChallenge(
  accounts: Accounts,
  scope: Scope,
  { id, epoch, buckets }: { id: string; epoch: number; buckets: ReturnType<Accounts['throttle']['signIn']> },
  device: Device,
): Promise<SignedIn | Challenge> {
  // The password that was right may be another by now.
  const opener = { id, epoch, changed: wrongPair };
  const person = await scope.db.first(queries.signInState, {
    team: scope.team,
    account: id,
    epoch,
    byProvider: false,
    userAgent: userAgentOf(device),
    keys: keysOf(buckets),
    renewed: buckets[0].key,
  });
  // First: any other answer tells that the password is right.
  if (person && !person.unblocked) accounts.throttle.refuse(person.blocked_seconds);
  const refusal = refusalOf(person, opener);
  if (!person || refusal) throw refusal;
  if (!person.oneFactor) return issueChallenge(accounts, scope, opener, { amr: ['pwd'] });
  if (!person.knownDevice) await noticeNewDevice(scope, person, device, person);
  return openSession(accounts, scope, opener, device, { amr: ['pwd'], acr: 'aal1' });
}

/** In a transaction of its own, since the sign-in it is about has none. */
function note(inPublic: RequestContext['inPublic'], team: string, work: (scope: Scope) => Promise<void>): Promise<void> {
  return inPublic((scope) => work(enterTeam(scope, team, { type: 'system' })));
}
