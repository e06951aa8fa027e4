import type { Coverage } from './coverage.ts';

/** Characters that stand for nothing on paper: controls, surrogates, private use, noncharacters, and those that turn the order of what follows. */
const neverShown = /[\p{Cc}\p{Cs}\p{Co}\p{Cn}\u{feff}\u{202d}\u{202e}]/u;
/** Needs no glyph of its own: joiners, marks of direction, variation selectors, line ends. */
const needsNoGlyph = /[\t\n\r\p{Default_Ignorable_Code_Point}]/u;

/** Marks on one character (UAX #15, Stream-Safe Text Format); thousands of them would take all memory there is. */
const maxMarks = 30;

/** How a character is named that cannot be drawn. */
const named = (codePoint: number): string => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/**
 * The text with each character that no font draws written as U+XXXX, so that a reader sees that something stood there; of several a space
 * keeps them apart.
 * PDF/A takes no missing glyphs and no private characters.
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

/** Every text in a value of JSON as it can be shown; names of members stay as they are. */
export function displayableValue(value: unknown, show: (text: string) => string): unknown {
  if (typeof value === 'string') return show(value);
  if (Array.isArray(value)) return value.map((item) => displayableValue(item, show));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, displayableValue(item, show)]));
  return value;
}
