import { type PageLanguage, wordsFor } from '../../public/words/index.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type SigningWords } from './en.ts';
import { ja } from './ja.ts';

export type { SigningWords };

const words: Record<PageLanguage, SigningWords> = { en, de, ar, ja };

/** What the signing page says in a locale; English where we do not speak it. */
export const signingWords = (locale: string): SigningWords => words[wordsFor(locale).language];
