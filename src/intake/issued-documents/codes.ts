import { createHash, randomBytes } from 'node:crypto';

/** Crockford's base 32 alphabet, without the ambiguous letters I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns a new code of 100 random bits, in groups that people can read. */
export function newCode(): string {
  // Five bits of each byte are used. They are uniform, because 256 is a multiple of 32.
  const characters = Array.from(randomBytes(20), (byte) => alphabet[byte & 31]).join('');
  return characters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** Normalizes a typed code: any case, O for 0, without hyphens and spaces. Returns undefined if it cannot be a code. */
export function readCode(typed: string): string | undefined {
  const characters = typed
    .toUpperCase()
    .replaceAll(/[\s\u{2010}-\u{2015}-]/gu, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
  if (!/^[0-9A-HJKMNP-TV-Z]{20}$/.test(characters)) return undefined;
  return characters.replaceAll(/.{5}(?=.)/g, '$&-');
}

/** Returns the stored hash of a code. */
export function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(`rendition ${code}`).digest();
}
