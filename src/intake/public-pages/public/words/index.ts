import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type PublicTexts } from './en.ts';
import { ja } from './ja.ts';

export type { PublicTexts };

const words = { en, de, ar, ja };

export type PageLanguage = keyof typeof words;

/** Returns the language and the texts for a locale; English without a translation. */
export function wordsFor(locale: string): { language: PageLanguage; words: PublicTexts } {
  const base = locale.toLowerCase().split('-')[0];
  const language = (Object.keys(words) as PageLanguage[]).find((one) => one === base) ?? 'en';
  return { language, words: words[language] };
}

/** Replaces the names in braces with values. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/** Returns the writing direction of a locale. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
