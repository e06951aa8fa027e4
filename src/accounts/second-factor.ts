import { matchSecondFactor } from '../platform/crypto/second-factor.ts';
import { open, seal } from '../platform/crypto/secretbox.ts';
import { newToken, tokenHash } from '../platform/crypto/tokens.ts';
import type { Database } from '../platform/database/database.ts';
import { recordAct } from '../platform/journal/record.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { problems } from '../platform/problems.ts';
import { enterTeam, type PublicScope, type Scope } from '../platform/scope.ts';
import { backupCodeUsed, challengeFailed, challengeIssued } from './acts.ts';
import type { Accounts } from './deps.ts';
import { accountMail } from './mails.ts';
import { accountProblems } from './problems.ts';
import * as queries from './queries.ts';
import { type Device, deviceSeen, noticeNewDevice, openSession, type SignedIn } from './sign-in.ts';
import * as factors from './two-factor-queries.ts';

const challengeSeconds = 300;
const maxTries = 5;

type Who = { team: string; account: string };

/** A code that matched. Whoever uses it takes it in their transaction: false when another request has taken it. */
export type CheckedCode = { amr: 'otp' | 'rc'; take(scope: Scope): Promise<boolean> };

/** The answer to a right password of a person with a second factor: no token, no cookie, and nothing about the person. */
export type Challenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

export const sealSecret = (accounts: Accounts, account: string, secret: Buffer) =>
  seal(accounts.keys.factors, secret, `two_factor ${account}`);
export const openSecret = (accounts: Accounts, account: string, sealed: Buffer) =>
  open(accounts.keys.factors, sealed, `two_factor ${account}`);

/** Opens a challenge; an older one of the same person ends. */
export async function issueChallenge(scope: Scope, account: string): Promise<Challenge> {
  const challengeId = newToken();
  await Promise.all([
    scope.db.all(factors.putChallenge, { team: scope.team, account, hash: tokenHash(challengeId), seconds: challengeSeconds }),
    recordAct(scope, challengeIssued, account),
  ]);
  return { twoFactorRequired: true, challengeId, expiresIn: challengeSeconds, methods: ['totp', 'backup_code'] };
}

/**
 * Checks a code of the authenticator app or a backup code. Each try is counted before it is looked at, so that no number
 * of requests at once gets more than the budget; success gives the budget back when the code is taken.
 */
export async function checkCode(
  accounts: Accounts,
  database: Database,
  who: Who,
  given: string,
  now: Date,
): Promise<CheckedCode | undefined> {
  const buckets = accounts.throttle.secondFactor(who.account);
  await database.withoutTeam(async (tx) => {
    await accounts.throttle.check(tx, buckets);
    if (await accounts.throttle.take(tx, buckets)) return;
    throw problems.rate_limited('Too many wrong codes. Wait 15 minutes and try again.', { headers: { 'retry-after': '900' } });
  });
  const checked = await matchCode(accounts, database, who, given, now);
  if (!checked) return undefined;
  return {
    amr: checked.amr,
    async take(scope) {
      if (!(await checked.take(scope))) return false;
      await accounts.throttle.clear(scope.db, buckets);
      return true;
    },
  };
}

async function matchCode(accounts: Accounts, database: Database, who: Who, given: string, now: Date): Promise<CheckedCode | undefined> {
  const reader = database.reader(who.team);
  const store = {
    async factor() {
      const kept = await reader.first(factors.factorOf, who);
      return kept && { secret: openSecret(accounts, who.account, kept.secret), lastStep: kept.last_step };
    },
    backupHash: async (slot: number) => (await reader.first(factors.unusedBackupCode, { ...who, slot }))?.hash,
  };
  const match = await matchSecondFactor(accounts.hasher, store, given, now);
  if (!match) return undefined;
  return {
    amr: match.amr,
    take: (scope) => (match.amr === 'otp' ? takeStep(scope, who, match.step) : takeBackupCode(scope, who, match)),
  };
}

async function takeStep(scope: Scope, who: Who, step: number): Promise<boolean> {
  return (await scope.db.first(factors.takeStep, { ...who, step })) !== undefined;
}

/** Takes a backup code and tells the person how many are left. */
async function takeBackupCode(scope: Scope, who: Who, { slot, hash }: { slot: number; hash: string }): Promise<boolean> {
  if (!(await scope.db.first(factors.takeBackupCode, { ...who, slot, hash, at: scope.now }))) return false;
  const [person, rest] = await Promise.all([
    scope.db.first(queries.accountById, { team: who.team, id: who.account }),
    scope.db.first(factors.backupCodesLeft, who),
    recordAct(scope, backupCodeUsed, who.account),
  ]);
  if (person) {
    const mail = accountMail(person.locale, 'backupCodeUsed', person.first_name, rest?.left ?? 0);
    await queueMail(scope.db, { to: person.email, team: who.team, ...mail });
  }
  return true;
}

const invalidChallenge = () =>
  accountProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');
const wrongCode = () =>
  accountProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

/**
 * Completes a sign-in with the second factor. A challenge is good for 5 minutes, 5 tries and one success; a code of the
 * app for one sign-in.
 */
export async function verifyTotp(
  accounts: Accounts,
  database: Database,
  inPublic: <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>,
  input: { challengeId: string; code: string },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const hash = tokenHash(input.challengeId);
  const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash }));
  if (!found) throw invalidChallenge();
  const who = { team: found.team_id, account: found.account_id };
  const tried = await database.inTeam(who.team, (tx) => tx.first(factors.tryChallenge, { ...who, hash, maxTries }));
  if (!tried) throw invalidChallenge();
  const checked = await checkCode(accounts, database, who, input.code, now);
  if (!checked) {
    await inPublic((scope) => recordAct(enterTeam(scope, who.team, { type: 'system' }), challengeFailed, who.account));
    throw wrongCode();
  }
  return inPublic(async (outer) => {
    const scope = enterTeam(outer, who.team, { type: 'user', id: who.account });
    if (!(await scope.db.first(factors.takeChallenge, { ...who, hash }))) throw invalidChallenge();
    // Refused now, the challenge stays: what is thrown undoes its taking, though not the count of tries.
    if (!(await checked.take(scope))) throw wrongCode();
    const [person, seen] = await Promise.all([
      scope.db.first(factors.activeMember, { team: who.team, id: who.account }),
      deviceSeen(scope, who.account, device),
    ]);
    if (!person) throw invalidChallenge();
    await noticeNewDevice(scope, person, device, seen);
    return openSession(accounts, scope, person, device, { amr: ['pwd', checked.amr], acr: 'aal2' });
  });
}
