import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { withMinimumDuration } from '../../platform/http/minimum-duration.ts';
import { credentialProblems } from './problems.ts';
import type { Bucket, Throttle } from './throttle.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** What passwords are checked with. */
export type PasswordGuard = { throttle: Throttle; hasher: PasswordHasher; database: Database };

/** A password as it was given, what it is compared with, and what it is counted by. */
export type PasswordGuess = { given: string; hash: string | undefined; buckets: Bucket[] };

/**
 * Whether the password of a sign-in is right: one hash is computed whatever it is compared with. A wrong one is counted, written
 * down by `note` and told by `tell` where its budget is used up, in even time: what it brings about takes longer for an address
 * that has an account. Of many guesses at once the right one is no exception: the caller asks once more whether something blocks.
 */
export function matchesAtSignIn(
  { throttle, hasher, database }: PasswordGuard,
  { given, hash, buckets }: PasswordGuess,
  wrong: { note: () => Promise<void> | undefined; notify: () => Promise<void> | undefined },
): Promise<boolean> {
  return throttle.guess(
    database,
    buckets,
    () => hasher.verify(given, hash),
    (count) =>
      withMinimumDuration(async () => {
        const { tells } = await pipelined({ noted: () => wrong.note(), tells: count });
        if (tells) await wrong.notify();
      }),
  );
}

/**
 * Checks the password of somebody who is signed in. A wrong one counts like a wrong one at the sign-in, and 20 an hour are
 * the most wherever they come from: `tell` tells whose it is then. As at the sign-in, the caller of a right one asks once more
 * whether something blocks. Errors: 400 `invalid_current_password`, 429.
 */
export async function checkPassword(
  { throttle, hasher, database }: PasswordGuard,
  { given, hash, buckets }: PasswordGuess,
  { member, notify }: { member: string; notify: () => Promise<void> | undefined },
): Promise<void> {
  const matches = await throttle.guess(
    database,
    buckets,
    () => hasher.verify(given, hash),
    async (count) => {
      if (await count()) await notify();
    },
  );
  if (!matches) throw credentialProblems.invalid_current_password(`\`${member}\` is not the password you sign in with. Check it.`);
}
