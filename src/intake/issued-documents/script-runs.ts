import { breakingLongWords } from '../../platform/typesetting/long-words.ts';

/** A text that needs other settings than the document: another direction, language or script, or several lines. */
type Special = {
  text: string;
  dir: 'ltr' | 'rtl';
  /** Whether its first letter is Arabic. */
  arabic: boolean;
  /** The language, if its script shows that it differs from that of the document. */
  lang?: string;
  /** The lines of each paragraph, if there are several. */
  paragraphs?: string[][];
};

/** A text for the template. It is a plain string if it needs no settings, to save space: a document has thousands of texts. */
export type PreparedText = string | Special;

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * The language to assume for a script, unless the language of the document also uses this script. Ideographs anywhere in the text determine the font.
 * For other scripts, the first letter determines it.
 */
const scriptLanguages: readonly { script: RegExp; lang: string; also: readonly string[]; anywhere?: true }[] = [
  { script: /[\p{Script=Hiragana}\p{Script=Katakana}]/u, lang: 'ja', also: [], anywhere: true },
  { script: /\p{Script=Hangul}/u, lang: 'ko', also: [], anywhere: true },
  { script: /\p{Script=Han}/u, lang: 'zh', also: ['ja', 'ko'], anywhere: true },
  { script: /\p{Script=Arabic}/u, lang: 'ar', also: ['fa', 'ur', 'ps', 'ug', 'ckb', 'sd'] },
  { script: /\p{Script=Hebrew}/u, lang: 'he', also: ['yi'] },
  { script: /\p{Script=Greek}/u, lang: 'el', also: [] },
  { script: /\p{Script=Thai}/u, lang: 'th', also: [] },
];

/** Returns the direction of a language. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  ['ar', 'he', 'fa', 'ur', 'ps', 'yi', 'ug', 'ckb', 'sd', 'dv', 'syr'].includes(language) ? 'rtl' : 'ltr';

const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text);
const inArabic = (language: string) => new Intl.Locale(language).maximize().script === 'Arab';

/** Maximum characters of a line. PDF limits the length of a string, and one character can take seven bytes there. */
const longestLine = 2_000;

/** Splits a text into paragraphs at empty lines, and each paragraph into lines. */
function paragraphsOf(text: string): string[][] {
  return text
    .trim()
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.split('\n').flatMap((line) => line.match(/[\s\S]{1,2000}(?:\s|$)|[\s\S]{1,2000}/gu) ?? ['']));
}

/**
 * Prepares a text for a document in this language. Its first letter determines the direction (UAX #9, P2).
 * Long words get zero-width spaces where they can break.
 */
export function prepareText(given: string, language: string): PreparedText {
  const lines = given.replaceAll(/\r\n?/g, '\n');
  const text = breakingLongWords(lines, { longest: 50, part: 24 });
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  const dir = first === '' ? directionOf(language) : rightToLeft.test(first) ? 'rtl' : 'ltr';
  const script = scriptLanguages.find(({ script: one, anywhere }) => one.test(anywhere ? text : first));
  const another = script && script.lang !== language && !script.also.includes(language);
  const several = text.length > longestLine || text.includes('\n');
  const arabic = first === '' ? inArabic(language) : isArabic(first);
  if (dir === directionOf(language) && !another && !several && arabic === inArabic(language)) return text;
  return { text, dir, arabic, ...(another ? { lang: script.lang } : {}), ...(several ? { paragraphs: paragraphsOf(text) } : {}) };
}
