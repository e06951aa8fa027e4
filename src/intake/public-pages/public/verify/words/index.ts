import { wordsFor } from '../../words/index.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type SignedFileWords } from './en.ts';
import { ja } from './ja.ts';

export type { SignedFileWords };

const words = { en, de, ar, ja };

/** Returns the texts of the page for signed files for a locale; English without a translation. */
export const signedFileWords = (locale: string): SignedFileWords => words[wordsFor(locale).language];
