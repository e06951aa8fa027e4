import type { PasswordHasher } from '../../platform/crypto/password-hash.ts';
import type { Database } from '../../platform/database/database.ts';
import { withMinimumDuration } from '../../platform/http/minimum-duration.ts';
import { credentialProblems } from './problems.ts';
import type { Bucket, Throttle } from './throttle.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Dependencies of a password check. */
export type PasswordGuard = { throttle: Throttle; hasher: PasswordHasher; database: Database };

/** The entered password, the stored hash to compare, and the buckets that count wrong guesses. */
export type PasswordGuess = { given: string; hash: string | undefined; buckets: Bucket[] };

/**
 * Whether the password of a sign-in is correct. It always computes one hash, so an unknown address costs the same. A wrong password is counted and
 * recorded by `note`; `notify` runs if it uses up a bucket with notices. These steps have a minimum duration, because they take longer for an address
 * with an account. After a match, the caller must check again whether a bucket blocks, because concurrent wrong guesses may have used it up.
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
        const { notifies } = await pipelined({ recorded: () => wrong.note(), notifies: count });
        if (notifies) await wrong.notify();
      }),
  );
}

/**
 * Checks the password of a signed-in user. A wrong password counts as a failed sign-in, and toward a limit of 20 an hour from all addresses. `notify`
 * runs when that limit is reached. After a match, the caller checks again whether a bucket blocks. Throws 403 `invalid_current_password` or 429.
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
  if (!matches)
    throw credentialProblems.invalid_current_password(`\`${member}\` is not your current password. Enter the password you sign in with.`);
}
