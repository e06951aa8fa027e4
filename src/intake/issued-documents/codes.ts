import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32, which leaves out what is mistaken for something else: I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A new code of 100 random bits, in groups as a person reads them. */
export function newCode(): string {
  // Each byte gives five bits: 256 is a multiple of 32.
  const characters = Array.from(randomBytes(20), (byte) => alphabet[byte & 31]).join('');
  return characters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** The code as it was printed, from how somebody typed it: in small letters, with O for 0, without its lines. Nothing if it can be none. */
export function readCode(typed: string): string | undefined {
  const characters = typed
    .toUpperCase()
    .replaceAll(/[\s\u{2010}-\u{2015}-]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!/^[0-9A-HJKMNP-TV-Z]{20}$/.test(characters)) return undefined;
  return characters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** What is kept of a code, and found by. */
export function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(`rendition ${code}`).digest();
}
