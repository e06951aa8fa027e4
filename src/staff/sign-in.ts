import { randomUUIDv7 } from 'node:crypto';
import { matchSecondFactor } from '../platform/crypto/second-factor.ts';
import { newToken, tokenHash } from '../platform/crypto/tokens.ts';
import { writeRefreshToken } from '../platform/crypto/refresh-tokens.ts';
import { recordAct } from '../platform/journal/record.ts';
import { accountProblems, type Guessed, parseEmail, secondFactorBudgets, toldAfter } from '#accounts';
import { inEvenTime } from '../platform/http/even-time.ts';
import type { PassHolder } from '../platform/http/device-pass.ts';
import { readTotpCode } from '../platform/crypto/totp.ts';
import type { Scope } from '../platform/scope.ts';
import * as acts from './acts.ts';
import { across, asStaff, factorPlace, type Origin, type Staff } from './deps.ts';
import { tellOfGuessing } from './notices.ts';
import { presentStaff } from './present.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';

const challengeSeconds = 300;
const maxTries = 5;

export type StaffSignedIn = { accessToken: string; refreshToken: string; holder: PassHolder; staff: ReturnType<typeof presentStaff> };
export type StaffChallenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

const wrongPair = () => accountProblems.invalid_credentials('No staff account has this e-mail address with this password. Check both.');

/** Signs staff in with a password; an unknown address costs the same. */
export async function staffLogin(
  staff: Staff,
  input: { email: string; password: string; pass: string | undefined },
  origin: Origin,
): Promise<StaffSignedIn | StaffChallenge> {
  const emailKey = parseEmail(input.email)?.key ?? input.email.slice(0, 320);
  const { person, buckets } = await across(staff, 'staff sign-in', async (tx) => {
    const found = await tx.first(queries.staffByEmail, { emailKey });
    const known = found && staff.pass.isOf(input.pass, holderOf(found), origin.now);
    const counted = staff.throttle.signIn(emailKey, origin.ip, known ? 'known device' : 'unknown device');
    await staff.throttle.check(tx, counted);
    return { person: found, buckets: counted };
  });
  // Of many guesses at once the right one is no exception: the budget is looked at once more, in the transaction.
  const matches = await staff.throttle.guess(
    staff.database,
    buckets,
    () => staff.hasher.verify(input.password, person?.password_hash ?? undefined),
    // From the hash on: what a wrong password brings about takes longer for an address that has an account.
    (count) =>
      inEvenTime(async () => {
        const noted = person && noting(staff, origin, (scope) => recordAct(scope, acts.staffLoginFailed, person.id));
        const [tells] = await Promise.all([count(), noted]);
        if (tells && person) await noting(staff, origin, (scope) => tellOfGuessing(staff, scope, person, 'password'));
      }),
  );
  if (!matches || !person) throw wrongPair();
  return asStaff(staff, 'staff sign-in', origin, { type: 'staff', id: person.id }, async (scope) => {
    await staff.throttle.check(scope.db, buckets);
    if (!person.is_active) throw staffProblems.staff_inactive('The account is not active. Ask an operator of the service.');
    await staff.throttle.clear(scope.db, buckets.slice(0, 1));
    const holder = { id: person.id, epoch: person.credential_epoch };
    if (person.totp_enabled) return issueChallenge(scope, holder);
    return openSession(staff, scope, holder, origin, { amr: ['pwd'], acr: 'aal1' }, wrongPair);
  });
}

const holderOf = ({ id, password_hash: passwordHash }: { id: string; password_hash: string | null }): PassHolder => ({ id, passwordHash });

/** In a transaction of its own, since the sign-in it is about has none. */
function noting(staff: Staff, origin: Origin, work: (scope: Scope) => Promise<void>): Promise<void> {
  return asStaff(staff, 'staff sign-in failed', origin, { type: 'system' }, work);
}

/** Whose session is to be opened, and the epoch of what they sign in with when that was looked at. */
type Holder = { id: string; epoch: number };

async function issueChallenge(scope: Scope, { id, epoch }: Holder): Promise<StaffChallenge> {
  const challengeId = newToken();
  await Promise.all([
    scope.db.all(queries.putChallenge, { staff: id, epoch, hash: tokenHash(challengeId), seconds: challengeSeconds }),
    recordAct(scope, acts.staffChallengeIssued, id),
  ]);
  return { twoFactorRequired: true, challengeId, expiresIn: challengeSeconds, methods: ['totp', 'backup_code'] };
}

/** The one way to a session of staff: only for who is active, and as long as nothing has ended what was shown. */
async function openSession(
  staff: Staff,
  scope: Scope,
  { id, epoch }: Holder,
  origin: Origin,
  proven: { amr: string[]; acr: string },
  changed: () => Error,
): Promise<StaffSignedIn> {
  const sessionId = randomUUIDv7();
  const person = await scope.db.first(queries.openSession, {
    id: sessionId,
    staff: id,
    epoch,
    ...proven,
    at: scope.now,
    ip: origin.ip ?? null,
    userAgent: origin.userAgent?.slice(0, 400) ?? null,
  });
  if (!person) throw changed();
  await recordAct(scope, acts.staffLoginSucceeded, sessionId, { amr: proven.amr });
  return {
    accessToken: await staff.tokens.issue({ staffId: id, sessionId, authTime: scope.now, ...proven }),
    refreshToken: writeRefreshToken(staff.refreshKeys, { holder: id, session: sessionId, counter: 0 }),
    holder: holderOf(person),
    staff: presentStaff(person),
  };
}

/** A code that matched; `take` uses it up, false when another request has. */
export type CheckedStaffCode = { amr: 'otp' | 'rc'; take(scope: Scope): Promise<boolean> };

/** Checks a code of a member of staff. Each try is counted before it is looked at; who is being guessed at is told. */
export async function checkStaffCode(staff: Staff, id: string, given: string, origin: Origin): Promise<CheckedStaffCode | undefined> {
  const { throttle } = staff;
  const row = throttle.inARow(id, readTotpCode(given) === undefined ? 'backup codes' : 'app');
  const inARow = await across(staff, 'staff second factor', async (tx) => {
    if (await throttle.blocked(tx, [row])) throw stopped();
    return (await throttle.spend(tx, [...throttle.secondFactor(id), row])).at(-1) ?? 0;
  });
  const ask = <T>(work: (tx: Scope['db']) => Promise<T>) => across(staff, 'staff second factor', work);
  const store = {
    async factor() {
      const kept = await ask((tx) => tx.first(queries.factorOf, { staff: id }));
      return kept && { secret: staff.factors.open(kept.secret, factorPlace(id)), lastStep: kept.last_step };
    },
    backupHash: async (slot: number) => (await ask((tx) => tx.first(queries.unusedBackupCode, { staff: id, slot })))?.hash,
  };
  const match = await matchSecondFactor(staff.hasher, store, given, origin.now);
  if (!match) {
    const told = toldAfter[inARow];
    if (told) await tellByCode(staff, id, origin, told);
    return undefined;
  }
  return {
    amr: match.amr,
    async take(scope) {
      const taken =
        match.amr === 'otp'
          ? await scope.db.first(queries.takeStep, { staff: id, step: match.step })
          : await scope.db.first(queries.takeBackupCode, { staff: id, slot: match.slot, hash: match.hash, at: scope.now });
      if (!taken) return false;
      await throttle.clear(scope.db, secondFactorBudgets(throttle, id));
      if (match.amr === 'rc') await recordAct(scope, acts.staffBackupCodeUsed, id);
      return true;
    },
  };
}

async function tellByCode(staff: Staff, id: string, origin: Origin, what: Guessed): Promise<void> {
  await asStaff(staff, 'staff codes are guessed', origin, { type: 'system' }, async (scope) => {
    const person = await scope.db.first(queries.staffById, { id });
    if (person) await tellOfGuessing(staff, scope, person, what);
  });
}

const stopped = () =>
  accountProblems.second_factor_stopped(
    'A hundred codes in a row were wrong. Use a backup code in the place of the app, or have an operator reset the second factor with `staff reset-totp`.',
  );

const invalidChallenge = () =>
  accountProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');
const wrongCode = () =>
  accountProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

/** Completes a sign-in of staff with the second factor. */
export async function staffVerifyTotp(staff: Staff, input: { challengeId: string; code: string }, origin: Origin): Promise<StaffSignedIn> {
  const hash = tokenHash(input.challengeId);
  const tried = await across(staff, 'staff challenge', (tx) => tx.first(queries.tryChallenge, { hash, maxTries }));
  if (!tried) throw invalidChallenge();
  const id = tried.staff_id;
  const checked = await checkStaffCode(staff, id, input.code, origin);
  if (!checked) {
    await asStaff(staff, 'staff challenge failed', origin, { type: 'system' }, (scope) => recordAct(scope, acts.staffChallengeFailed, id));
    throw wrongCode();
  }
  return asStaff(staff, 'staff sign-in', origin, { type: 'staff', id }, async (scope) => {
    const taken = await scope.db.first(queries.takeChallenge, { hash });
    if (!taken) throw invalidChallenge();
    if (!(await checked.take(scope))) throw wrongCode();
    return openSession(staff, scope, { id, epoch: taken.epoch }, origin, { amr: ['pwd', checked.amr], acr: 'aal2' }, invalidChallenge);
  });
}
