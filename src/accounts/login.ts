import type { Database } from '../platform/database/database.ts';
import { recordAct } from '../platform/journal/record.ts';
import { enterTeam, type PublicScope } from '../platform/scope.ts';
import { loginFailed } from './acts.ts';
import type { Accounts } from './deps.ts';
import { parseEmail } from './emails.ts';
import { accountProblems } from './problems.ts';
import * as queries from './queries.ts';
import { readRefreshToken } from '../platform/crypto/refresh-tokens.ts';
import { type Challenge, issueChallenge } from './second-factor.ts';
import { type Device, noticeNewDevice, openSession, type SignedIn } from './sign-in.ts';

type InPublic = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;

/**
 * Signs in with a password. One hash is computed whatever the address is, so that neither the time nor the answer tells
 * an unknown address from a wrong password; what is special about an account is said only after the right password.
 */
export async function login(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  input: { email: string; password: string },
  device: Device & { refreshCookie: string | undefined },
): Promise<SignedIn | Challenge> {
  const emailKey = parseEmail(input.email)?.key ?? input.email.slice(0, 320);
  const claim = device.refreshCookie === undefined ? undefined : readRefreshToken(accounts.keys.refresh, device.refreshCookie);
  const owner = claim && (await database.reader(claim.holder).first(queries.sessionOwner, { team: claim.holder, session: claim.session }));
  const { account, pending, buckets } = await database.withoutTeam(async (tx) => {
    const [known, waiting] = await Promise.all([
      tx.first(queries.accountByEmail, { emailKey }),
      tx.first(queries.newestRegistration, { emailKey }),
    ]);
    // A device that has signed in to this very account is not held up by what strangers do to the address.
    const counted = accounts.throttle.signIn(
      emailKey,
      device.ip,
      known && owner?.account_id === known.id ? 'known device' : 'unknown device',
    );
    await accounts.throttle.check(tx, counted);
    return { account: known, pending: waiting, buckets: counted };
  });

  const hash = account ? (account.password_hash ?? undefined) : pending?.password_hash;
  const matches = await accounts.hasher.verify(input.password, hash);
  if (!matches) {
    await accounts.throttle.count(database, buckets);
    if (account) await inPublic((scope) => recordAct(enterTeam(scope, account.team_id, { type: 'system' }), loginFailed, account.id));
    throw accountProblems.invalid_credentials('No account has this e-mail address with this password. Check both.');
  }
  if (!account) throw accountProblems.email_not_verified('Confirm the address first, with the code that was mailed to it.');
  if (account.status !== 'active' || account.team_status !== 'active')
    throw accountProblems.account_disabled('The account is disabled. Ask an administrator of your team.');
  const rehashed = hash !== undefined && accounts.hasher.needsRehash(hash) ? await accounts.hasher.hash(input.password) : undefined;
  return inPublic(async (outer) => {
    const scope = enterTeam(outer, account.team_id, { type: 'user', id: account.id });
    const [person] = await Promise.all([
      scope.db.first(queries.accountById, { team: account.team_id, id: account.id }),
      // Once more: of many guesses at once the right one is no exception.
      accounts.throttle.check(scope.db, buckets),
      accounts.throttle.clear(scope.db, buckets.slice(0, 1)),
      rehashed === undefined
        ? undefined
        : scope.db.all(queries.setPassword, { team: account.team_id, id: account.id, hash: rehashed, at: scope.now }),
    ]);
    if (!person) throw accountProblems.invalid_credentials('No account has this e-mail address with this password. Check both.');
    if (person.two_factor_enabled) return issueChallenge(scope, person.id);
    await noticeNewDevice(scope, person, device);
    return openSession(accounts, scope, person, device, { amr: ['pwd'], acr: 'aal1' });
  });
}
