import { problems } from './problems.ts';

// Controls, halves of characters, what turns the direction of writing, and what nobody sees, by which a name looks like another. What joins letters, and what chooses
// how a character looks, is part of writing; so are the tags of a flag.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u;
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]*$/u;

/** Whether a line of text is as it looks, and can be seen at all. */
export const isPrintable = (text: string): boolean => !unprintable.test(text) && (text === '' || !unseen.test(text));

const unseenCharacter = /[\p{Default_Ignorable_Code_Point}\p{Z}\s\u2800]/u;

/** Whether a text has at least so many characters (code points), without the spaces around it, and others there that nobody sees. */
export function showsAtLeast(text: string, least: number): boolean {
  let [shown, between] = [0, 0];
  for (const character of text) {
    if (shown >= least) break;
    if (!unseenCharacter.test(character)) [shown, between] = [shown + between + 1, 0];
    else if (shown > 0) between += 1;
  }
  return shown >= least;
}

// What is no character of a text, and what turns the direction of all that follows.
const turning = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text of some lines can be shown as it is, and turns nothing of itself or around it. */
export const isPlainText = (text: string): boolean => !turning.test(text);

/**
 * A name as it is kept: trimmed, NFC, 1 to 255 code points, printable, without `/`. Refused otherwise, with the pointer
 * of the member it came in.
 */
export function cleanName(value: string, member = 'name'): string {
  const name = normalText(value).trim();
  const reason = nameError(name);
  if (reason === undefined) return name;
  throw problems.validation_failed(`\`${member}\` ${reason}`, { errors: [{ name: member, pointer: `/${member}`, reason, rule: 'name' }] });
}

/** Returns a clean name that does not look like a web address. Errors: those of {@link cleanName} and {@link refuseLink}. */
export function nameWithoutLink(value: string): string {
  const name = cleanName(value);
  refuseLink(name, 'name');
  return name;
}

function nameError(name: string): string | undefined {
  const length = Array.from(name).length;
  if (length < 1 || length > 255) return 'must have 1 to 255 characters that are not spaces.';
  if (!isPrintable(name)) return 'must not contain control characters or other invisible characters.';
  if (name.includes('/')) return 'must not contain a slash.';
  return undefined;
}

const linkLike = [/:\/\//, /(^|[^\p{L}\d])www\./iu, /[\p{L}\d][\p{L}\d-]*\.\p{L}{2,}/u, /\d{1,3}(\.\d{1,3}){3}/];
// What programs that show mails take for a dot in an address (UTS #46, and NFKC).
const otherDots = /[\u3002\uff0e\uff61]/g;
// A dot in brackets, as in `evil[.]com`: mail programs make no link of it, and people read the address.
const guardedDots = /\s*[[({]\s*(?:\.|dot)\s*[\])}]\s*/giu;
// A single letter before the dot is an initial: J.R.R. Tolkien, St. John.
const initials = /(?<![\p{L}\d-])\p{L}\.(?=\p{L}(\.|\s|$))/gu;

/** True for a text with an address of a page: `https://…`, `www.…`, `name.example`, and `name[.]example`, which people read as one. */
export function hasLink(text: string): boolean {
  const plain = normalText(text, 'NFKC').replaceAll(otherDots, '.').replaceAll(guardedDots, '.').replaceAll(initials, '');
  return linkLike.some((pattern) => pattern.test(plain));
}

/** The same text with nothing that mail programs make a link of: for names that were taken before that was asked. */
export function withoutLinks(text: string): string {
  if (!hasLink(text)) return text;
  return text
    .replaceAll(otherDots, '.')
    .replaceAll(guardedDots, '.')
    .replaceAll('://', ': ')
    .replaceAll(/\.(?=\S)/g, '. ');
}

// Scripts with letters that look like those of another: a word of one language has letters of one of them (UTS #39, 5.1).
const lookAlikes = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

/** True for a word that mixes letters of scripts that look alike, such as a Latin name with a Cyrillic `а`. */
export const mixesScripts = (text: string): boolean =>
  normalText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => lookAlikes.filter((script) => script.test(word)).length > 1);

/** Refuses a name of a person or team with a link or a look-alike in it: names stand in mails to strangers. */
export function refuseLink(name: string, member: string): void {
  if (mixesScripts(name)) {
    const reason = 'must not mix letters of different alphabets, such as Latin and Cyrillic, in one word.';
    throw problems.validation_failed(`\`${member}\` ${reason}`, {
      errors: [{ name: member, pointer: `/${member}`, reason, rule: 'script' }],
    });
  }
  if (!hasLink(name)) return;
  throw problems.name_has_link(`\`${member}\` must not look like an address of a page. Leave it out, or put a space behind the dot.`, {
    errors: [{ name: member, pointer: `/${member}`, reason: 'must not look like an address of a page', rule: 'link' }],
  });
}

/** What names are compared by: `Contracts` and `contracts` are one name. */
export function nameKey(name: string): string {
  return normalText(normalText(name), 'NFKC').toLowerCase().normalize('NFC');
}

/**
 * A text in a normal form of Unicode. Putting marks of one character in order takes time with the square of how many there are: a run of more
 * than any language has is divided first, as the Stream-Safe Text Process does (UAX #15, 13). What is in this form stays as it is: a text that
 * is sent back as it was answered is the same text.
 */
export function normalText(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  const normal = divided(text).normalize(form);
  // Some marks become several.
  return normal === text ? text : divided(normal).normalize(form);
}

/** U+034F, which divides, is a mark itself. */
const divided = (text: string): string => text.replaceAll(/(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu, '$&\u034F');

/** The first characters of a text, at most so many code points. */
export const firstCharacters = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** The first characters of a text, at most so many UTF-16 units of it: where one of two units would be cut in half, it is left out. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most))
    ? text.slice(0, most - 1)
    : text.slice(0, most);
}

/** A text without what the database refuses: U+0000 anywhere, and halves of characters in JSON. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/** What an error says, as it is kept beside what has failed: parts of it are others' words, and that it cannot be kept would be a failure without end. */
export function keptReason(error: unknown): string {
  return storableText(cutText(error instanceof Error ? error.message : String(error), 500));
}

/** Text as it may stand in HTML, between tags and in quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
