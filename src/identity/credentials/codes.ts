import { type FactorMatch, type FactorStore, matchSecondFactor } from '../../platform/crypto/second-factor.ts';
import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import { readTotpCode } from '../../platform/crypto/totp.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/scope.ts';
import { credentialProblems } from './problems.ts';
import type { Throttle } from './throttle.ts';

/** What is being guessed; `codes stopped`: so often that none is taken any more. */
export type Guessed = 'password' | 'codes' | 'codes stopped';

/** Uses up what was checked, in the transaction it counts for; false when another request has. */
type Take = (scope: Scope) => Promise<boolean>;

/** A code that matched. Whoever uses it takes it in their transaction. */
export type CheckedCode = { amr: 'otp' | 'rc'; take: Take };

/** Somebody with a second factor, of people or of staff. */
export type FactorOwner = {
  id: string;
  /** Runs the counting of a try, in a transaction of its own: what fails afterwards does not undo it. */
  spending<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** What to do after a hundred wrong codes in a row. */
  stopped: string;
};

/** The same with their codes. */
export type CodeOwner = FactorOwner & {
  store: FactorStore;
  take(scope: Scope, match: FactorMatch): Promise<boolean>;
  /** Tells them that somebody guesses. */
  notifyGuessing(what: Guessed): Promise<void>;
};

/** All that wrong codes of somebody are counted by. */
export const secondFactorBudgets = (throttle: Throttle, id: string) => [
  ...throttle.secondFactor(id),
  throttle.inARow(id, 'app'),
  throttle.inARow(id, 'backup codes'),
];

/** After how many wrong codes in a row the owner is told, and what. */
const notifyAfter: Readonly<Record<number, Guessed>> = { 10: 'codes', 100: 'codes stopped' };

/** A try that was spent; `giveBack` gives the budgets back once the factor is taken. */
type Spent = { inARow: number; giveBack: (take: Take) => Take };

/**
 * Spends one of somebody's tries before anything is looked at, so that no number of requests at once gets more than the
 * budget: 10 in 15 minutes, and of an authenticator whose codes can be guessed 100 in a row. Errors: 403
 * `second_factor_locked`, 429.
 */
export async function spendTry(throttle: Throttle, owner: FactorOwner, authenticator?: 'app' | 'backup codes'): Promise<Spent> {
  const row = authenticator && throttle.inARow(owner.id, authenticator);
  const inARow = await owner.spending(async (tx) => {
    if (row && (await throttle.blocked(tx, [row]))) throw credentialProblems.second_factor_locked(owner.stopped);
    const spent = await throttle.spend(tx, [...throttle.secondFactor(owner.id), ...(row ? [row] : [])]);
    return row ? (spent.at(-1) ?? 0) : 0;
  });
  const giveBack = (take: Take) => async (scope: Scope) => {
    if (!(await take(scope))) return false;
    await throttle.clear(scope.db, secondFactorBudgets(throttle, owner.id));
    return true;
  };
  return { inARow, giveBack };
}

/** Checks a code of the authenticator app or a backup code, for one of the holder's tries. Who is being guessed at is told. */
export async function checkCode(
  { throttle, hasher }: { throttle: Throttle; hasher: PasswordHasher },
  owner: CodeOwner,
  given: string,
  now: Date,
): Promise<CheckedCode | undefined> {
  const authenticator = readTotpCode(given) === undefined ? 'backup codes' : 'app';
  const { inARow, giveBack } = await spendTry(throttle, owner, authenticator);
  const match = await matchSecondFactor(hasher, owner.store, given, now);
  if (match) return { amr: match.amr, take: giveBack((scope) => owner.take(scope, match)) };
  const guessed = notifyAfter[inARow];
  if (guessed) await owner.notifyGuessing(guessed);
  return undefined;
}

/** What a request that signs in is answered with where its code was wrong. */
export const wrongCodeAtSignIn = () =>
  credentialProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

const wrongCode = () => credentialProblems.invalid_code('`code` is wrong or was used. Enter the newest code of the app, or a backup code.');

/** A code as the proof of somebody who is signed in. Errors: 400 `invalid_code`. */
export function proofByCode(checked: CheckedCode | undefined): { amr: 'otp' | 'rc'; take(scope: Scope): Promise<void> } {
  if (!checked) throw wrongCode();
  return {
    amr: checked.amr,
    async take(scope) {
      if (!(await checked.take(scope))) throw wrongCode();
    },
  };
}
