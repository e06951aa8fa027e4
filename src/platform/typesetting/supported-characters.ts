import type { Coverage } from './coverage.ts';

/** Characters without a printed form: controls, surrogates, private use, noncharacters, and characters that change the text direction. */
const neverShown = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u{feff}\u{202d}\u{202e}]/u;
/** Characters without a glyph: joiners, direction marks, variation selectors and line breaks. */
const needsNoGlyph = /[\t\n\r\p{Default_Ignorable_Code_Point}]/u;

/** Maximum number of combining marks on one character (UAX #15, Stream-Safe Text Format). Thousands would exhaust the memory. */
const maxMarks = 30;

/** Returns the name of a character that cannot be drawn. */
const named = (codePoint: number): string => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * Replaces each character that no font can draw with U+XXXX, separated by spaces. So the reader sees that a character is missing. PDF/A does not
 * allow missing glyphs or private characters.
 */
export function displayable(text: string, coverage: Coverage, missing?: ReadonlySet<number>): string {
  if (/^[\x20-\x7e\n]*$/.test(text)) return text;
  let shown = '';
  let marks = 0;
  let afterNamed = false;
  for (const character of text.isWellFormed() ? text : text.toWellFormed()) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (/\p{M}/u.test(character)) marks += 1;
    else if (!needsNoGlyph.test(character)) marks = 0;
    const drawn =
      marks <= maxMarks &&
      !missing?.has(codePoint) &&
      (/[\t\n\r]/.test(character) ||
        (!neverShown.test(character) && (coverage.has(codePoint) || needsNoGlyph.test(character) || /\p{Zs}/u.test(character))));
    shown += drawn ? character : `${afterNamed ? ' ' : ''}${named(codePoint)}`;
    afterNamed = !drawn;
  }
  return shown;
}

/** Replaces the characters in every text of a JSON value. Member names stay unchanged. */
export function displayableValue(value: unknown, show: (text: string) => string): unknown {
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map((item) => displayableValue(item, show));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, displayableValue(item, show)]));
  return value;
}
