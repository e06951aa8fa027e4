import { keysOf, matchesAtSignIn } from '#credentials';
import type { Database } from '../../../platform/database/database.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { enterTeam, type PublicScope, type Scope } from '../../../platform/scope.ts';
import { loginFailed } from '../events.ts';
import type { Accounts } from '../context.ts';
import { parseEmail } from '../emails.ts';
import { sessionOfDevice } from './known-device.ts';
import { createFirstTeam, teamToOpen } from '../membership/teams-of-person.ts';
import { notifyGuessing } from '../notices.ts';
import { Problem } from '../../../platform/problems.ts';
import { accountProblems } from '../problems.ts';
import * as queries from '../queries.ts';
import { type Challenge, issueChallenge } from '../two-factor/sign-in.ts';
import {
  type Device,
  noticeNewDevice,
  openPlainSession,
  openSession,
  refusalOf,
  type SignedIn,
  teamClosed,
  userAgentOf,
} from './open-session.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The data of the request. `inPublic` opens a transaction for it. */
type RequestContext = Omit<PublicScope, 'db' | 'listeners'> & { inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T> };

const wrongPair = () => accountProblems.invalid_credentials('No account has this e-mail address with this password. Check both.');

/**
 * Signs in with a password. It always computes one hash, so that neither time nor response distinguishes an
 * unknown address from a wrong password. Other errors of an account appear only after a correct password.
 */
export async function login(
  accounts: Accounts,
  database: Database,
  request: RequestContext,
  input: { email: string; password: string; teamId?: string | undefined },
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
  const team = input.teamId?.toLowerCase() ?? account?.team_id ?? undefined;
  // A device with a session of this account is not blocked by strangers’ guesses at the address.
  const subject = account && { id: account.id, passwordHash: account.password_hash };
  const known = subject !== undefined && (owner?.account === subject.id || accounts.pass.isOf(device.pass, subject, request.now));
  const buckets = known ? accounts.throttle.signIn(emailKey, device.ip, 'known device') : strangers;
  if (claims) await accounts.throttle.check(publicReader, buckets);

  const hash = account ? (account.password_hash ?? undefined) : (found?.pending_hash ?? undefined);
  // The session opens only if nothing blocks after the check, because concurrent wrong guesses may have used up the budget.
  const matches = await matchesAtSignIn(
    { ...accounts, database },
    { given: input.password, hash, buckets },
    {
      note: () =>
        team === undefined ? undefined : note(inPublic, team, (scope) => account && recordAudit(scope, loginFailed, account.id)),
      notify: () =>
        team === undefined
          ? undefined
          : note(inPublic, team, (scope) => account && notifyGuessing(accounts, scope, account.id, 'password')),
    },
  );
  if (!matches) throw wrongPair();
  if (!account) {
    await accounts.throttle.check(publicReader, buckets);
    throw accountProblems.email_not_verified('Confirm the address first, with the code that was mailed to it.');
  }
  const rehashed = hash !== undefined && accounts.hasher.needsRehash(hash) ? await accounts.hasher.hash(input.password) : undefined;
  if (rehashed === undefined && team !== undefined) {
    const right = { team, account: account.id, epoch: account.credential_epoch, device, keys: keysOf(buckets), renewed: buckets[0].key };
    const signedIn = await openPlainSession(accounts, database.batched(team, account.id, account.id), request, right);
    if (signedIn) return signedIn;
  }
  const rehash = rehashed === undefined || hash === undefined ? undefined : { id: account.id, old: hash, hash: rehashed };
  const opener = { id: account.id, epoch: account.credential_epoch, buckets };
  const open = (work: (outer: PublicScope) => Promise<Scope>) =>
    inPublic(async (outer) => {
      const scope = await work(outer);
      if (rehash) scope.db.send(queries.rehashPassword, rehash);
      return openOrChallenge(accounts, scope, opener, device);
    });
  return openTeam(open, team, account.id, () =>
    input.teamId === undefined ? teamToOpen(database.reader('', account.id), account.id) : Promise.resolve(undefined),
  );
}

/** Opens `team`, or a new team. If the sign-in cannot open this team, the other teams of the person stay available. */
async function openTeam<T>(
  open: (work: (outer: PublicScope) => Promise<Scope>) => Promise<T>,
  team: string | undefined,
  account: string,
  otherTeam: () => Promise<string | undefined>,
): Promise<T> {
  const enter = (id: string) => open(async (outer) => enterTeam(outer, id, { type: 'user', id: account }));
  if (team === undefined) return open((outer) => createFirstTeam(outer, account));
  return enter(team).catch(async (error: unknown) => {
    const other = isClosed(error) ? await otherTeam() : undefined;
    if (other === undefined || other === team) throw error;
    return enter(other);
  });
}

const isClosed = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'sso_required' || error.code === 'account_disabled');

/** Opens a session after a correct password, or requires the second factor. */
async function openOrChallenge(
  accounts: Accounts,
  scope: Scope,
  { id, epoch, buckets }: { id: string; epoch: number; buckets: ReturnType<Accounts['throttle']['signIn']> },
  device: Device,
): Promise<SignedIn | Challenge> {
  // The password may have changed since the check.
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
  // Checked first, because all other errors reveal that the password is correct.
  if (person && !person.unblocked) accounts.throttle.refuse(person.blocked_seconds);
  if (!person) throw teamClosed();
  const refusal = refusalOf(person.closed, opener);
  if (refusal) throw refusal;
  if (!person.oneFactor) return issueChallenge(accounts, scope, opener, { amr: ['pwd'] });
  if (!person.knownDevice) await noticeNewDevice(scope, person, device, person);
  return openSession(accounts, scope, opener, device, { amr: ['pwd'], acr: 'aal1' });
}

/** Records a failure in a separate transaction, because a failed sign-in has no transaction. */
async function note(inPublic: RequestContext['inPublic'], team: string, work: (scope: Scope) => Promise<void> | undefined): Promise<void> {
  await inPublic(async (scope) => work(enterTeam(scope, team, { type: 'system' })));
}
