import { randomUUIDv7 } from 'node:crypto';
import { newToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { writeRefreshToken } from '../../platform/crypto/refresh-tokens.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { accountProblems, parseEmail } from '#accounts';
import {
  checkCode,
  type CheckedCode,
  type CodeOwner,
  completeChallenge,
  invalidChallenge,
  matchesAtSignIn,
  maxChallengeTries,
  wrongCodeAtSignIn,
} from '#credentials';
import type { Row } from '../../platform/database/row.ts';
import type { PassOwner } from '../../platform/http/device-pass.ts';
import type { Scope } from '../../platform/scope.ts';
import * as acts from './events.ts';
import { across, asStaff, factorPlace, type Origin, type Staff } from './context.ts';
import { notifyGuessing } from './notices.ts';
import { presentStaff } from './present.ts';
import { staffProblems } from './problems.ts';
import * as queries from './queries.ts';

const challengeSeconds = 300;

export type StaffSignedIn = { accessToken: string; refreshToken: string; subject: PassOwner; staff: ReturnType<typeof presentStaff> };
export type StaffChallenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

const wrongPair = () => accountProblems.invalid_credentials('No staff account has this e-mail address with this password. Check both.');

/** Signs staff in with a password. An unknown address takes the same time. */
export async function staffLogin(
  staff: Staff,
  input: { email: string; password: string; pass: string | undefined },
  origin: Origin,
): Promise<StaffSignedIn | StaffChallenge> {
  const emailKey = parseEmail(input.email)?.key ?? input.email.slice(0, 320);
  const { person, buckets } = await across(staff, 'staff sign-in', async (tx) => {
    const found = await tx.first(queries.staffByEmail, { emailKey });
    const known = found && staff.pass.isOf(input.pass, passSubject(found), origin.now);
    const counted = staff.throttle.signIn(emailKey, origin.ip, known ? 'known device' : 'unknown device');
    await staff.throttle.check(tx, counted);
    return { person: found, buckets: counted };
  });
  // The budget is checked again in the transaction, because concurrent wrong guesses may have used it up.
  const matches = await matchesAtSignIn(
    staff,
    { given: input.password, hash: person?.password_hash ?? undefined, buckets },
    {
      note: () => person && noting(staff, origin, (scope) => recordAudit(scope, acts.staffLoginFailed, person.id)),
      notify: () => person && noting(staff, origin, (scope) => notifyGuessing(staff, scope, person, 'password')),
    },
  );
  if (!matches || !person) throw wrongPair();
  return asStaff(staff, 'staff sign-in', origin, { type: 'staff', id: person.id }, async (scope) => {
    await staff.throttle.check(scope.db, buckets);
    if (!person.is_active) throw staffProblems.staff_inactive('The account is not active. Ask an operator of the service.');
    await staff.throttle.clear(scope.db, buckets.slice(0, 1));
    const subject = { id: person.id, epoch: person.credential_epoch };
    if (person.totp_enabled) return issueChallenge(scope, subject);
    return openSession(staff, scope, subject, origin, { amr: ['pwd'], acr: 'aal1' }, wrongPair);
  });
}

const passSubject = ({ id, password_hash: passwordHash }: { id: string; password_hash: string | null }): PassOwner => ({
  id,
  passwordHash,
});

/** Records a failure in a separate transaction, because a failed sign-in has no transaction. */
function noting(staff: Staff, origin: Origin, work: (scope: Scope) => Promise<void>): Promise<void> {
  return asStaff(staff, 'staff sign-in failed', origin, { type: 'system' }, work);
}

/** The owner of a new session, and the credential epoch when the credentials were checked. */
type StaffSubject = { id: string; epoch: number };

async function issueChallenge(scope: Scope, { id, epoch }: StaffSubject): Promise<StaffChallenge> {
  const challengeId = newToken();
  scope.db.send(queries.putChallenge, { staff: id, epoch, hash: tokenHash(challengeId), seconds: challengeSeconds });
  await recordAudit(scope, acts.staffChallengeIssued, id);
  return { twoFactorRequired: true, challengeId, expiresIn: challengeSeconds, methods: ['totp', 'backup_code'] };
}

/**
 * Opens a session of staff. Every staff session is opened by this function. Rejects inactive accounts and credentials that have changed since the
 * check.
 */
async function openSession(
  staff: Staff,
  scope: Scope,
  { id, epoch }: StaffSubject,
  origin: Origin,
  proven: Row<'staff_session', 'amr' | 'acr'>,
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
  await recordAudit(scope, acts.staffLoginSucceeded, sessionId, { amr: proven.amr });
  return {
    accessToken: await staff.tokens.issue({ staffId: id, sessionId, authTime: scope.now, ...proven }),
    refreshToken: writeRefreshToken(staff.refreshKeys, { owner: id, session: sessionId, counter: 0 }),
    subject: passSubject(person),
    staff: presentStaff(person),
  };
}

/** Checks a code of a member of staff. Each attempt is counted before the check. Notifies the owner about guesses. */
export function checkStaffCode(staff: Staff, id: string, given: string, origin: Origin): Promise<CheckedCode | undefined> {
  const ask = <T>(work: (tx: Scope['db']) => Promise<T>) => across(staff, 'staff second factor', work);
  const subject: CodeOwner = {
    id,
    spending: ask,
    stopped:
      'You entered 100 wrong codes in a row. Use a backup code instead of the app, or ask an operator to reset the second factor with `staff reset-totp`.',
    store: {
      async factor() {
        const kept = await ask((tx) => tx.first(queries.factors.factorOf, { staff: id }));
        return kept && { secret: staff.factors.open(kept.secret, factorPlace(id)), lastStep: kept.last_step };
      },
      backupHash: async (slot) => (await ask((tx) => tx.first(queries.factors.unusedBackupCode, { staff: id, slot })))?.hash,
    },
    async take(scope, match) {
      if (match.amr === 'otp') return (await scope.db.first(queries.factors.takeStep, { staff: id, step: match.step })) !== undefined;
      const one = { staff: id, slot: match.slot, hash: match.hash, at: scope.now };
      if (!(await scope.db.first(queries.factors.takeBackupCode, one))) return false;
      await recordAudit(scope, acts.staffBackupCodeUsed, id);
      return true;
    },
    notifyGuessing: (what) =>
      asStaff(staff, 'staff codes are guessed', origin, { type: 'system' }, async (scope) => {
        const person = await scope.db.first(queries.staffById, { id });
        if (person) await notifyGuessing(staff, scope, person, what);
      }),
  };
  return checkCode(staff, subject, given, origin.now);
}

export function staffVerifyTotp(staff: Staff, input: { challengeId: string; code: string }, origin: Origin): Promise<StaffSignedIn> {
  const side: Parameters<typeof completeChallenge<string, { epoch: number }, StaffSignedIn>>[0] = {
    spend: async (hash) =>
      (await across(staff, 'staff challenge', (tx) => tx.first(queries.tryChallenge, { hash, maxTries: maxChallengeTries })))?.staff_id,
    failed: (id) =>
      asStaff(staff, 'staff challenge failed', origin, { type: 'system' }, (scope) => recordAudit(scope, acts.staffChallengeFailed, id)),
    inTransaction: (id, work) => asStaff(staff, 'staff sign-in', origin, { type: 'staff', id }, work),
    take: (scope, _id, hash) => scope.db.first(queries.takeChallenge, { hash }),
    open: (scope, id, { epoch }, amr) =>
      openSession(staff, scope, { id, epoch }, origin, { amr: ['pwd', amr], acr: 'aal2' }, invalidChallenge),
  };
  const check = (id: string) => checkStaffCode(staff, id, input.code, origin);
  return completeChallenge(side, input.challengeId, check, wrongCodeAtSignIn);
}
