/** A text with the direction and, where it can be told from its script, the language that it is set in; `arabic` tells of the script of its first letter. */
export type Spoken = { text: string; dir: 'ltr' | 'rtl'; arabic: boolean; lang?: string };

const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * What a script says of the language, unless the document is in one that is written so itself. Of ideographs it decides which
 * font draws them, wherever in the text they stand; else the first letter counts.
 */
const told: readonly { script: RegExp; lang: string; also: readonly string[]; anywhere?: true }[] = [
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

/** The text as it is set in a document of this language: its first letter decides the direction (UAX #9, P2). */
export function spoken(text: string, language: string): Spoken {
  const first = /\p{L}/u.exec(text)?.[0] ?? '';
  const dir = first === '' ? directionOf(language) : rightToLeft.test(first) ? 'rtl' : 'ltr';
  const script = told.find(({ script: one, anywhere }) => one.test(anywhere ? text : first));
  const another = script && script.lang !== language && !script.also.includes(language);
  return { text, dir, arabic: isArabic(first), ...(another ? { lang: script.lang } : {}) };
}
