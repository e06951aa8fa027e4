import { problems } from './problems.ts';

// Matches control characters, unpaired surrogates, bidirectional controls and invisible characters, which make different names look alike.
// Joiners, variation selectors and the tags of a flag are allowed, because scripts and emojis need them.
const unprintable =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]*)[\u{e0000}-\u{e007f}]/u;
const unseen = /^[\p{Default_Ignorable_Code_Point}\p{Z}\u2800]*$/u;

/** Returns whether a line of text is visible and contains no character that misrepresents it. */
export const isPrintable = (text: string): boolean => !unprintable.test(text) && (text === '' || !unseen.test(text));

const unseenCharacter = /[\p{Default_Ignorable_Code_Point}\p{Z}\s\u2800]/u;

/** Returns whether a text has at least `least` characters (code points) without leading and trailing invisible characters. */
export function showsAtLeast(text: string, least: number): boolean {
  let [shown, between] = [0, 0];
  for (const character of text) {
    if (shown >= least) break;
    if (!unseenCharacter.test(character)) [shown, between] = [shown + between + 1, 0];
    else if (shown > 0) between += 1;
  }
  return shown >= least;
}

// Matches control characters, unpaired surrogates and bidirectional controls.
const turning = /(?![\t\n\r])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Returns whether a text of several lines can be displayed without changing the writing direction of itself or its surroundings. */
export const isPlainText = (text: string): boolean => !turning.test(text);

/** Normalizes a name: trimmed, NFC, 1 to 255 code points, printable, without `/`. Throws `validation_failed` with the pointer of the member. */
export const cleanName = (value: string, member = 'name'): string => checked(value, member, nameError);

/** Normalizes a name that is in no path, such as the number of a matter: as {@link cleanName}, but with `/`. */
export const cleanTitle = (value: string, member = 'name'): string => checked(value, member, titleError);

function checked(value: string, member: string, errorOf: (name: string) => string | undefined): string {
  const name = normalText(value).trim();
  const reason = errorOf(name);
  if (reason === undefined) return name;
  throw problems.validation_failed(`\`${member}\` ${reason}`, { errors: [{ name: member, pointer: `/${member}`, reason, rule: 'name' }] });
}

/** Normalizes a name and rejects one that looks like a web address. Throws the errors of {@link cleanName} and {@link refuseLink}. */
export function nameWithoutLink(value: string): string {
  const name = cleanName(value);
  refuseLink(name, 'name');
  return name;
}

const maxName = 255;

/** Returns a text as a name that {@link cleanName} accepts, with a hyphen for each slash; undefined if it is empty or not printable. */
export function nameFrom(text: string | undefined): string | undefined {
  const name = firstCharacters((text ?? '').replaceAll('/', '-').replaceAll(/\s+/g, ' ').trim(), maxName).trim();
  return name === '' || nameError(name) !== undefined ? undefined : name;
}

const nameError = (name: string): string | undefined => titleError(name) ?? (name.includes('/') ? 'must not contain a slash.' : undefined);

function titleError(name: string): string | undefined {
  const length = Array.from(name).length;
  if (length < 1) return 'must not be empty or have only spaces.';
  if (length > maxName) return `must have at most ${maxName} characters, and has ${length}.`;
  if (!isPrintable(name)) return 'must not contain control characters or other invisible characters.';
  return undefined;
}

const linkLike = [/:\/\//, /(^|[^\p{L}\d])www\./iu, /[\p{L}\d][\p{L}\d-]*\.\p{L}{2,}/u, /\d{1,3}(\.\d{1,3}){3}/];
// Characters that mail programs treat as a dot in a domain name (UTS #46, and NFKC).
const otherDots = /[\u3002\uff0e\uff61]/g;
// A dot in brackets, as in `evil[.]com`. Mail programs do not link it, but people read it as an address.
const guardedDots = /\s*[[({]\s*(?:\.|dot)\s*[\])}]\s*/giu;
// A single letter before the dot is an initial: J.R.R. Tolkien, St. John.
const initials = /(?<![\p{L}\d-])\p{L}\.(?=\p{L}(\.|\s|$))/gu;

/** True for a text that contains a web address: `https://…`, `www.…`, `name.example`, or `name[.]example`. */
export function hasLink(text: string): boolean {
  const plain = normalText(text, 'NFKC').replaceAll(otherDots, '.').replaceAll(guardedDots, '.').replaceAll(initials, '');
  return linkLike.some((pattern) => pattern.test(plain));
}

/** Changes a text so that mail programs do not turn it into a link, for names that were stored before Chancery rejected links. */
export function withoutLinks(text: string): string {
  if (!hasLink(text)) return text;
  return text
    .replaceAll(otherDots, '.')
    .replaceAll(guardedDots, '.')
    .replaceAll('://', ': ')
    .replaceAll(/\.(?=\S)/g, '. ');
}

// Scripts with letters that look alike. A word of a real language uses only one of them (UTS #39, 5.1).
const lookAlikes = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u, /\p{Script=Armenian}/u, /\p{Script=Cherokee}/u];

/** True for a word that mixes scripts that look alike, such as a Latin name with a Cyrillic `а`. */
export const mixesScripts = (text: string): boolean =>
  normalText(text)
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .some((word) => lookAlikes.filter((script) => script.test(word)).length > 1);

/** Rejects a name of a person or team with a link or with mixed scripts, because mails to strangers contain these names. */
export function refuseLink(name: string, member: string): void {
  if (mixesScripts(name)) {
    const reason = 'must not mix letters of different alphabets, such as Latin and Cyrillic, in one word.';
    throw problems.validation_failed(`\`${member}\` ${reason}`, {
      errors: [{ name: member, pointer: `/${member}`, reason, rule: 'script' }],
    });
  }
  if (!hasLink(name)) return;
  throw problems.name_has_link(`\`${member}\` must not look like a web address. Remove it, or add a space after the dot.`, {
    errors: [{ name: member, pointer: `/${member}`, reason: 'must not look like a web address', rule: 'link' }],
  });
}

/** Returns the key for comparing names: `Contracts` and `contracts` are the same name. */
export function nameKey(name: string): string {
  return normalText(normalText(name), 'NFKC').toLowerCase().normalize('NFC');
}

/**
 * Normalizes a text (Unicode). Ordering the combining marks of one character takes quadratic time. So runs of marks that are longer than in any
 * language are split first (Stream-Safe Text Process, UAX #15, 13). Normalization is idempotent: a text that a client sends back does not change.
 */
export function normalText(text: string, form: 'NFC' | 'NFKC' | 'NFKD' = 'NFC'): string {
  const normal = divided(text).normalize(form);
  // Normalization can expand one mark into several.
  return normal === text ? text : divided(normal).normalize(form);
}

/** Splits long runs of combining marks. The separator U+034F is itself a combining mark. */
const divided = (text: string): string => text.replaceAll(/(?:(?!\u034F)\p{M}){30}(?=(?!\u034F)\p{M})/gu, '$&\u034F');

/** Returns the first `most` code points of a text. */
export const firstCharacters = (text: string, most: number): string => Array.from(text).slice(0, most).join('');

/** Returns at most `most` UTF-16 units of a text and does not split a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(most))
    ? text.slice(0, most - 1)
    : text.slice(0, most);
}

/** Replaces characters that PostgreSQL rejects: U+0000, and unpaired surrogates in JSON. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD');

/**
 * Returns the error message in a form that can be stored. The message can contain external text, and a message that cannot be stored would fail at
 * every retry.
 */
export function keptReason(error: unknown): string {
  return storableText(cutText(error instanceof Error ? error.message : String(error), 500));
}

/** Escapes text for HTML content and quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
}
