import { readBackupCode } from './backup-codes.ts';
import type { PasswordHasher } from './password-hash.ts';
import { matchTotp, readTotpCode } from './totp.ts';

/** Access to the stored second factors of a person. */
export type FactorStore = {
  /** Returns the decrypted active secret and the last used step. */
  factor(): Promise<{ secret: Buffer; lastStep: number } | undefined>;
  /** Returns the hash of an unused backup code. */
  backupHash(slot: number): Promise<string | undefined>;
};

/** The matched factor. The caller must consume it with a guarded update, because concurrent requests can match the same code. */
export type FactorMatch = { amr: 'otp'; step: number } | { amr: 'rc'; slot: number; hash: string };

/** Matches the input against the authenticator code or a backup code. It computes at most one slow hash. */
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
