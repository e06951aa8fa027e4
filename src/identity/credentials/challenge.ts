import { tokenHash } from '../../platform/crypto/tokens.ts';
import type { Scope } from '../../platform/scope.ts';
import { credentialProblems } from './problems.ts';

/** Maximum wrong second factors for one challenge. */
export const maxChallengeTries = 5;

export const invalidChallenge = () =>
  credentialProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');

/** Storage of the challenges of users or of staff, and the steps of their sign-in. */
export type ChallengeSide<Who, Taken, SignedIn> = {
  /** Counts one attempt at a valid challenge and returns the owner. */
  spend(hash: Buffer): Promise<Who | undefined>;
  /** Records a wrong factor. */
  failed(who: Who): Promise<void>;
  /** Runs the transaction of the sign-in. */
  inTransaction(who: Who, work: (scope: Scope) => Promise<SignedIn>): Promise<SignedIn>;
  take(scope: Scope, who: Who, hash: Buffer): Promise<Taken | undefined>;
  open(scope: Scope, who: Who, taken: Taken, amr: string): Promise<SignedIn>;
};

/**
 * Completes a sign-in with the second factor that `check` verifies. `refused` creates the error for a wrong one. A challenge allows 5 attempts and
 * one success. Throws 401 `invalid_challenge` or 429.
 */
export async function completeChallenge<Who, Taken, SignedIn>(
  side: ChallengeSide<Who, Taken, SignedIn>,
  challengeId: string,
  check: (who: Who) => Promise<{ amr: string; take(scope: Scope): Promise<boolean> } | undefined>,
  refused: () => Error,
): Promise<SignedIn> {
  const hash = tokenHash(challengeId);
  const who = await side.spend(hash);
  if (!who) throw invalidChallenge();
  const checked = await check(who);
  if (!checked) {
    await side.failed(who);
    throw refused();
  }
  return side.inTransaction(who, async (scope) => {
    const taken = await side.take(scope, who, hash);
    if (!taken) throw invalidChallenge();
    // The error rolls the transaction back, so the challenge stays valid. The try was counted in another transaction.
    if (!(await checked.take(scope))) throw refused();
    return side.open(scope, who, taken, checked.amr);
  });
}
