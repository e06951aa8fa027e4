import { nameKey, normalText } from '../../../platform/text.ts';

/** Bytes that a name has at most in each part and in all, and how many parts. */
const most = { part: 255, whole: 500, parts: 8 };

// Control characters, what turns the direction of a text, and what no one sees.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
// Names of devices, which some systems take for something else with any ending.
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A name of a file: as it is kept, and as names are compared; or why it cannot be one. */
export type FileName = { name: string; key: string } | { nameError: string };

/**
 * Reads the name of a file, which may have folders before it: `playbooks/nda.md`. What was written in an address is decoded by
 * now, once: a name that would be another if it were decoded again is refused, and so is whatever might lead elsewhere.
 */
export function readFileName(given: string): FileName {
  const name = normalText(given);
  const error = errorOf(name);
  return error === undefined ? { name, key: nameKey(name) } : { nameError: error };
}

function errorOf(name: string): string | undefined {
  if (!name.isWellFormed()) return 'must be text in Unicode';
  if (unprintable.test(name)) return 'must not contain control characters, or others that are not seen';
  if (Buffer.byteLength(name) > most.whole) return `must have at most ${most.whole} bytes`;
  if (/%[0-9a-f]{2}/i.test(name)) return 'must be encoded once: it has an escape such as `%2f` left';
  if (/[\\<>:"|?*]/.test(name)) return 'must not contain any of \\ < > : " | ? *';
  const parts = name.split('/');
  if (parts.length > most.parts) return `must have at most ${most.parts} parts`;
  return parts.map(errorOfPart).find((error) => error !== undefined);
}

function errorOfPart(part: string): string | undefined {
  if (part === '') return 'must not begin or end with a slash, or have two together';
  if (part === '.' || part === '..') return 'must not contain `.` or `..` as a part';
  if (Buffer.byteLength(part) > most.part) return `must have at most ${most.part} bytes in each part`;
  if (part !== part.trim() || part.endsWith('.')) return 'must not have a part that begins or ends with a space, or ends with a dot';
  // What is compared without regard to width or ligatures must not become any of that either.
  const plain = normalText(part, 'NFKC');
  if (plain === '..' || plain === '.' || /[/\\:]|%[0-9a-f]{2}/i.test(plain))
    return 'must not contain characters that others take for `/`, `\\`, `:`, `%` or dots';
  if (device.test(plain)) return 'must not be the name of a device';
  return undefined;
}
