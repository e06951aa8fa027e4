import { randomInt } from 'node:crypto';
import type { PasswordHasher } from './password-hash.ts';

// Crockford's alphabet without look-alikes: 32 symbols, 5 bits each.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const randomSymbols = 11;
export const backupCodeCount = 10;

/** A backup code as it is compared: which of the ten it claims to be, and its canonical text. */
export type BackupCode = { slot: number; text: string };

/**
 * Ten codes such as `3k7f-29qm-4xt8`. The first symbol says which of the ten it is, so that one slow hash is computed a
 * try; the other eleven are random, 55 bits.
 */
export function newBackupCodes(): string[] {
  return Array.from({ length: backupCodeCount }, (_, slot) => {
    const random = Array.from({ length: randomSymbols }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${alphabet[slot]}${random}`.replace(/^(.{4})(.{4})(.{4})$/, '$1-$2-$3');
  });
}

/** Reads a backup code in any case, with or without dashes and spaces; nothing for any other text. */
export function readBackupCode(given: string): BackupCode | undefined {
  const text = given.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  const slot = alphabet.indexOf(text.slice(0, 1));
  if (!new RegExp(`^[${alphabet}]{${randomSymbols + 1}}$`).test(text) || slot >= backupCodeCount) return undefined;
  return { slot, text };
}

/** Codes as they are shown once, and as they are kept. */
export type BackupCodes = { codes: string[]; hashes: string[] };

/** Makes backup codes and hashes each, slowly; outside any transaction, since ten hashes take their time. */
export async function prepareBackupCodes(hasher: PasswordHasher): Promise<BackupCodes> {
  const codes = newBackupCodes();
  const hashes = await Promise.all(codes.map((code) => hasher.hashCode(readBackupCode(code)?.text ?? code)));
  return { codes, hashes };
}
