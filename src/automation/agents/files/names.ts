import { nameKey, normalText } from '../../../platform/text.ts';

/** Maximum number of bytes of a part and of the whole name, and maximum number of parts. */
const most = { part: 255, whole: 500, parts: 8 };

// Control characters, characters that change the text direction, and invisible characters.
const unprintable = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u;
// Names of Windows devices, which are reserved with any extension.
const device = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** A valid file name with its key for comparisons, or the reason why it is invalid. */
export type FileName = { name: string; key: string } | { nameError: string };

/**
 * Checks a file name, which may contain folders: `playbooks/nda.md`. The caller has already percent-decoded a name from a URL. Rejects names that a
 * second decoding would change, and names that lead out of the folder of the agent.
 */
export function readFileName(given: string): FileName {
  const name = normalText(given);
  const error = errorOf(name);
  return error === undefined ? { name, key: nameKey(name) } : { nameError: error };
}

function errorOf(name: string): string | undefined {
  if (!name.isWellFormed()) return 'must be valid Unicode text';
  if (unprintable.test(name)) return 'must not contain control or invisible characters';
  if (Buffer.byteLength(name) > most.whole) return `must have at most ${most.whole} bytes`;
  if (/%[0-9a-f]{2}/i.test(name)) return 'must be encoded once: it still contains an escape such as `%2f`';
  if (/[\\<>:"|?*]/.test(name)) return 'must not contain any of \\ < > : " | ? *';
  const parts = name.split('/');
  if (parts.length > most.parts) return `must have at most ${most.parts} parts`;
  return parts.map(errorOfPart).find((error) => error !== undefined);
}

function errorOfPart(part: string): string | undefined {
  if (part === '') return 'must not begin or end with a slash, or contain two slashes in a row';
  if (part === '.' || part === '..') return 'must not contain `.` or `..` as a part';
  if (Buffer.byteLength(part) > most.part) return `must have at most ${most.part} bytes in each part`;
  if (part !== part.trim() || part.endsWith('.')) return 'must not have a part that begins or ends with a space, or ends with a dot';
  // Other systems may normalize to NFKC. The normalized name must not contain the forbidden characters either.
  const plain = normalText(part, 'NFKC');
  if (plain === '..' || plain === '.' || /[/\\:]|%[0-9a-f]{2}/i.test(plain))
    return 'must not contain characters that are similar to `/`, `\\`, `:`, `%` or dots';
  if (device.test(plain)) return 'must not be the name of a device, such as `con`';
  return undefined;
}
