import { type PageLanguage, wordsFor } from '../../public/words/index.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type SigningWords } from './en.ts';
import { ja } from './ja.ts';

export type { SigningWords };

const words: Record<PageLanguage, SigningWords> = { en, de, ar, ja };

/** Returns the texts of the signing page for a locale; English without a translation. */
export const signingWords = (locale: string): SigningWords => words[wordsFor(locale).language];
