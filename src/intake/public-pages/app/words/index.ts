import { type PageLanguage, wordsFor } from '../../public/words/index.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { type AppWords, en } from './en.ts';
import { ja } from './ja.ts';

export type { AppWords };

const words: Record<PageLanguage, AppWords> = { en, de, ar, ja };

/** Returns the texts of the pages for signed-in people for a locale; English without a translation. */
export const appWords = (locale: string): AppWords => words[wordsFor(locale).language];
