import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type PublicTexts } from './en.ts';
import { ja } from './ja.ts';

export type { PublicTexts };

const words = { en, de, ar, ja };

export type PageLanguage = keyof typeof words;

/** The language of our own words for a locale, and the words; English where we do not speak the locale's. */
export function wordsFor(locale: string): { language: PageLanguage; words: PublicTexts } {
  const base = locale.toLowerCase().split('-')[0];
  const language = (Object.keys(words) as PageLanguage[]).find((one) => one === base) ?? 'en';
  return { language, words: words[language] };
}

/** A text with what its braces name put in. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

const rightToLeft = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/** How a locale is written. */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(locale).maximize().script ?? '') ? 'rtl' : 'ltr';
  } catch {
    return 'ltr';
  }
}
