import { readBackupCode } from './backup-codes.ts';
import type { PasswordHasher } from './password-hash.ts';
import { matchTotp, readTotpCode } from './totp.ts';

/** Where a person's second factor is kept. */
export type FactorStore = {
  /** The living secret, opened, with the last step that was taken. */
  factor(): Promise<{ secret: Buffer; lastStep: number } | undefined>;
  /** The hash of an unused backup code. */
  backupHash(slot: number): Promise<string | undefined>;
};

/** What matched, to be taken by a guarded update: a match alone says nothing of who was first. */
export type FactorMatch = { amr: 'otp'; step: number } | { amr: 'rc'; slot: number; hash: string };

/** Compares what a person typed with their authenticator app's code or a backup code; at most one slow hash. */
export async function matchSecondFactor(
  hasher: PasswordHasher,
  store: FactorStore,
  given: string,
  now: Date,
): Promise<FactorMatch | undefined> {
  const code = readTotpCode(given);
  if (code !== undefined) {
    const factor = await store.factor();
    const step = factor && matchTotp(factor.secret, code, now);
    return factor && step !== undefined && step > factor.lastStep ? { amr: 'otp', step } : undefined;
  }
  const backup = readBackupCode(given);
  const hash = backup && (await store.backupHash(backup.slot));
  if (!backup || hash === undefined || !(await hasher.verify(backup.text, hash))) return undefined;
  return { amr: 'rc', slot: backup.slot, hash };
}
