import { randomInt } from 'node:crypto';
import type { PasswordHasher } from './password-hash.ts';

// Crockford's alphabet without look-alikes: 32 symbols, 5 bits each.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const randomSymbols = 11;
export const backupCodeCount = 10;

/** A parsed backup code: its claimed slot (0 to 9) and its canonical text. */
export type BackupCode = { slot: number; text: string };

/**
 * Returns ten codes such as `3k7f-29qm-4xt8`. The first symbol is the slot, so that an attempt needs only one slow hash. The other eleven symbols are
 * random (55 bits).
 */
export function newBackupCodes(): string[] {
  return Array.from({ length: backupCodeCount }, (_, slot) => {
    const random = Array.from({ length: randomSymbols }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${alphabet[slot]}${random}`.replace(/^(.{4})(.{4})(.{4})$/, '$1-$2-$3');
  });
}

/** Parses a backup code. Ignores case, dashes and spaces. Returns undefined for any other text. */
export function readBackupCode(given: string): BackupCode | undefined {
  const text = given.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const slot = alphabet.indexOf(text.slice(0, 1));
  if (!new RegExp(`^[${alphabet}]{${randomSymbols + 1}}$`).test(text) || slot >= backupCodeCount) return undefined;
  return { slot, text };
}

/** The codes to show once, and their hashes to store. */
export type BackupCodes = { codes: string[]; hashes: string[] };

/** Creates and hashes backup codes. Call it outside a transaction, because ten hashes are slow. */
export async function prepareBackupCodes(hasher: PasswordHasher): Promise<BackupCodes> {
  const codes = newBackupCodes();
  const hashes = await Promise.all(codes.map((code) => hasher.hashCode(readBackupCode(code)?.text ?? code)));
  return { codes, hashes };
}
