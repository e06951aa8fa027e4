import { problems } from './problems.ts';

// Control characters, and the bidirectional overrides that make a name look like another.
const unprintable = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A name as it is kept: trimmed, NFC, 1 to 255 code points, printable, without `/`. Refused otherwise, with the pointer
 * of the member it came in.
 */
export function cleanName(value: string, member = 'name'): string {
  const name = value.normalize('NFC').trim();
  const reason = nameFault(name);
  if (reason === undefined) return name;
  throw problems.validation_failed(`\`${member}\` ${reason}`, { errors: [{ name: member, pointer: `/${member}`, reason, rule: 'name' }] });
}

function nameFault(name: string): string | undefined {
  const length = Array.from(name).length;
  if (length < 1 || length > 255) return 'must have 1 to 255 characters that are not spaces.';
  if (unprintable.test(name)) return 'must not contain control characters.';
  if (name.includes('/')) return 'must not contain a slash.';
  return undefined;
}

/** What names are compared by: `Contracts` and `contracts` are one name. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().normalize('NFC');
}

/** Text as it may stand in HTML, between tags and in attributes with double quotes. */
export function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
