import { type FactorMatch, type FactorStore, matchSecondFactor } from '../../platform/crypto/second-factor.ts';
import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import { readTotpCode } from '../../platform/crypto/totp.ts';
import type { Transaction } from '../../platform/database/database.ts';
import type { Scope } from '../../platform/scope.ts';
import { credentialProblems } from './problems.ts';
import type { Throttle } from './throttle.ts';

/** The credential that an attacker guesses. `codes stopped`: no more codes are accepted after too many wrong ones. */
export type Guessed = 'password' | 'codes' | 'codes stopped';

/** Marks a code as used in the transaction of the caller. Returns false if another request used it first. */
type Take = (scope: Scope) => Promise<boolean>;

/** A code that matched. The caller marks it as used with `take` in its own transaction. */
export type CheckedCode = { amr: 'otp' | 'rc'; take: Take };

/** A user or a member of staff with a second factor. */
export type FactorOwner = {
  id: string;
  /** Counts an attempt in a separate transaction, so that a later error does not undo the count. */
  spending<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /** Advice to the owner after 100 wrong codes in a row. */
  stopped: string;
};

/** A `FactorOwner` with their codes. */
export type CodeOwner = FactorOwner & {
  store: FactorStore;
  take(scope: Scope, match: FactorMatch): Promise<boolean>;
  /** Notifies the owner about guessing. */
  notifyGuessing(what: Guessed): Promise<void>;
};

/** All buckets that count wrong codes of one owner. */
export const secondFactorBudgets = (throttle: Throttle, id: string) => [
  ...throttle.secondFactor(id),
  throttle.inARow(id, 'app'),
  throttle.inARow(id, 'backup codes'),
];

/** Numbers of wrong codes in a row after which the owner is notified, with the notice. */
const notifyAfter: Readonly<Record<number, Guessed>> = { 10: 'codes', 100: 'codes stopped' };

/** A counted attempt. `giveBack` wraps `take`, so that a success resets all budgets. */
type Spent = { inARow: number; giveBack: (take: Take) => Take };

/**
 * Counts an attempt before the check, so that concurrent requests cannot exceed the budget. The budget is 10 in 15 minutes, and 100 in a row for an
 * authenticator with codes. Throws 403 `second_factor_locked` or 429.
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

/** Checks a code of the authenticator app or a backup code, and counts an attempt. Notifies the owner after 10 and 100 wrong codes in a row. */
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

/** The error for a wrong code at a sign-in. */
export const wrongCodeAtSignIn = () =>
  credentialProblems.invalid_code('The code is wrong or was used. Enter the newest code of the app, or a backup code.', { status: 401 });

const wrongCode = () => credentialProblems.invalid_code('`code` is wrong or was used. Enter the newest code of the app, or a backup code.');

/** Checks a code of a signed-in user and returns it as a credential. Throws 400 `invalid_code`. */
export function proofByCode(checked: CheckedCode | undefined): { amr: 'otp' | 'rc'; take(scope: Scope): Promise<void> } {
  if (!checked) throw wrongCode();
  return {
    amr: checked.amr,
    async take(scope) {
      if (!(await checked.take(scope))) throw wrongCode();
    },
  };
}
