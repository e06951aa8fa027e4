import { wordsFor } from '../../words/index.ts';
import { ar } from './ar.ts';
import { de } from './de.ts';
import { en, type SignedFileWords } from './en.ts';
import { ja } from './ja.ts';

export type { SignedFileWords };

const words = { en, de, ar, ja };

/** What the page of signed files says in a locale; English where we do not speak it. */
export const signedFileWords = (locale: string): SignedFileWords => words[wordsFor(locale).language];
