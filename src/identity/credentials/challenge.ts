import { tokenHash } from '../../platform/crypto/tokens.ts';
import type { Scope } from '../../platform/scope.ts';
import { credentialProblems } from './problems.ts';

/** Wrong second factors that one challenge takes. */
export const maxChallengeTries = 5;

export const invalidChallenge = () =>
  credentialProblems.invalid_challenge('The challenge is unknown, used or too old. Sign in with the password again.');

/** Where challenges are kept, of people or of staff, and what follows them. */
export type ChallengeSide<Who, Taken, SignedIn> = {
  /** Spends one of the tries of a living challenge; says whose it is. */
  spend(hash: Buffer): Promise<Who | undefined>;
  /** Writes a wrong factor down. */
  failed(who: Who): Promise<void>;
  /** The transaction of the sign-in. */
  inTransaction(who: Who, work: (scope: Scope) => Promise<SignedIn>): Promise<SignedIn>;
  take(scope: Scope, who: Who, hash: Buffer): Promise<Taken | undefined>;
  open(scope: Scope, who: Who, taken: Taken, amr: string): Promise<SignedIn>;
};

/**
 * Completes a sign-in with the second factor that `check` looks at; `refused` is what a wrong one is answered with. A
 * challenge is good for 5 tries and one success. Errors: 401 `invalid_challenge`, 429.
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
    // Refused now, the challenge stays: what is thrown undoes its taking, though not the count of tries.
    if (!(await checked.take(scope))) throw refused();
    return side.open(scope, who, taken, checked.amr);
  });
}
