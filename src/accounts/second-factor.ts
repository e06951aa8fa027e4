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
type CheckedFactor = { amr: 'otp' | 'rc' | 'hwk' | 'swk'; take(scope: Scope): Promise<boolean> };

/** The answer to a right password of a person with a second factor: no token, no cookie, and nothing about the person. */
export type Challenge = { twoFactorRequired: true; challengeId: string; expiresIn: number; methods: string[] };

export const sealSecret = (accounts: Accounts, account: string, secret: Buffer) =>
  seal(accounts.keys.factors, secret, `two_factor ${account}`);
export const openSecret = (accounts: Accounts, account: string, sealed: Buffer) =>
  open(accounts.keys.factors, sealed, `two_factor ${account}`);

/**
 * Opens a challenge; an older one of the same person ends. `methods` are those the person has.
 *
 * @param amr how the sign-in was begun (RFC 8176); the session is opened with it and the second factor
 */
export async function issueChallenge(scope: Scope, account: string, amr: string[]): Promise<Challenge> {
  const challengeId = newToken();
  const who = { team: scope.team, account };
  const [has] = await Promise.all([
    scope.db.first(factors.methodsOf, who),
    scope.db.all(factors.putChallenge, { ...who, hash: tokenHash(challengeId), amr, seconds: challengeSeconds }),
    recordAct(scope, challengeIssued, account),
  ]);
  return { twoFactorRequired: true, challengeId, expiresIn: challengeSeconds, methods: has?.methods ?? [] };
}

type Take = CheckedFactor['take'];

/**
 * Spends one of a person's tries before anything is looked at, so that no number of requests at once gets more than the
 * budget; what is returned gives the budget back once the factor is taken. Errors: 429.
 */
export async function spendTry(accounts: Accounts, database: Database, account: string): Promise<(take: Take) => Take> {
  const buckets = accounts.throttle.secondFactor(account);
  await database.withoutTeam(async (tx) => {
    await accounts.throttle.check(tx, buckets);
    if (await accounts.throttle.take(tx, buckets)) return;
    throw problems.rate_limited('Too many wrong codes. Wait 15 minutes and try again.', { headers: { 'retry-after': '900' } });
  });
  return (take) => async (scope) => {
    if (!(await take(scope))) return false;
    await accounts.throttle.clear(scope.db, buckets);
    return true;
  };
}

/** Checks a code of the authenticator app or a backup code, for one of the person's tries. */
export async function checkCode(
  accounts: Accounts,
  database: Database,
  who: Who,
  given: string,
  now: Date,
): Promise<CheckedCode | undefined> {
  const giveBack = await spendTry(accounts, database, who.account);
  const checked = await matchCode(accounts, database, who, given, now);
  return checked && { amr: checked.amr, take: giveBack((scope) => checked.take(scope)) };
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

export const invalidChallenge = () =>
  accountProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');
const wrongCode = () =>
  accountProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

type InPublic = <T>(work: (scope: PublicScope) => Promise<T>) => Promise<T>;

/** Completes a sign-in with a code; one of the app is good for one sign-in. Errors: 401 `invalid_challenge`, `invalid_code`, 429. */
export function verifyTotp(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  input: { challengeId: string; code: string },
  device: Device,
  now: Date,
): Promise<SignedIn> {
  const check = (who: Who) => checkCode(accounts, database, who, input.code, now);
  return completeChallenge(accounts, database, inPublic, input.challengeId, check, wrongCode, device);
}

/**
 * Completes a sign-in with the second factor that `check` looks at; `refused` is what a wrong one is answered with. A
 * challenge is good for 5 minutes, 5 tries and one success.
 */
export async function completeChallenge(
  accounts: Accounts,
  database: Database,
  inPublic: InPublic,
  challengeId: string,
  check: (who: Who) => Promise<CheckedFactor | undefined>,
  refused: () => Error,
  device: Device,
): Promise<SignedIn> {
  const hash = tokenHash(challengeId);
  const found = await database.withoutTeam((tx) => tx.first(factors.challengeByToken, { hash }));
  if (!found) throw invalidChallenge();
  const who = { team: found.team_id, account: found.account_id };
  const tried = await database.inTeam(who.team, (tx) => tx.first(factors.tryChallenge, { ...who, hash, maxTries }));
  if (!tried) throw invalidChallenge();
  const checked = await check(who);
  if (!checked) {
    await inPublic((scope) => recordAct(enterTeam(scope, who.team, { type: 'system' }), challengeFailed, who.account));
    throw refused();
  }
  return inPublic(async (outer) => {
    const scope = enterTeam(outer, who.team, { type: 'user', id: who.account });
    const taken = await scope.db.first(factors.takeChallenge, { ...who, hash });
    if (!taken) throw invalidChallenge();
    // Refused now, the challenge stays: what is thrown undoes its taking, though not the count of tries.
    if (!(await checked.take(scope))) throw refused();
    const [person, seen] = await Promise.all([
      scope.db.first(factors.activeMember, { team: who.team, id: who.account }),
      deviceSeen(scope, who.account, device),
    ]);
    if (!person) throw invalidChallenge();
    await noticeNewDevice(scope, person, device, seen);
    return openSession(accounts, scope, person, device, { amr: [...taken.amr, checked.amr], acr: 'aal2' });
  });
}
