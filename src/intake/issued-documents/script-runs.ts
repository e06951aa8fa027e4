import { breakingLongWords } from '../../platform/typesetting/long-words.ts';

/** A text that is not simply set as the document is: in another direction, language or script, or of several lines. */
type Special = {
  text: string;
  dir: 'ltr' | 'rtl';
  /** Whether its first letter is Arabic. */
  arabic: boolean;
  /** Where it can be told from the script that it is another than the document's. */
  lang?: string;
  /** Its paragraphs, each as its lines, where it has several. */
  paragraphs?: string[][];
};

/** A text as a template sets it. What needs no more is plain: a document has thousands of them. */
export type PreparedText = string | Special;

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * What a script says of the language, unless the document is in one that is written so itself. Of ideographs it decides which
 * font draws them, wherever in the text they stand; else the first letter counts.
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

/** The direction a language is written in. */
export const directionOf = (language: string): 'ltr' | 'rtl' =>
  ['ar', 'he', 'fa', 'ur', 'ps', 'yi', 'ug', 'ckb', 'sd', 'dv', 'syr'].includes(language) ? 'rtl' : 'ltr';

const isArabic = (text: string) => /\p{Script=Arabic}/u.test(text);
const inArabic = (language: string) => new Intl.Locale(language).maximize().script === 'Arab';

/** A line holds so much at most: a PDF names no longer strings, even where each character takes seven letters to be named. */
const longestLine = 2_000;

/** Its paragraphs, which an empty line divides, each as its lines. */
function paragraphsOf(text: string): string[][] {
  return text
    .trim()
    .split(/\n[ \t]*\n\s*/)
    .map((paragraph) => paragraph.split('\n').flatMap((line) => line.match(/[\s\S]{1,2000}(?:\s|$)|[\s\S]{1,2000}/gu) ?? ['']));
}

/**
 * The text as it is set in a document of this language: its first letter decides the direction (UAX #9, P2). A word that is longer
 * than a line may break, at a space without width.
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
