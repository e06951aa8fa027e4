import { ar } from './ar.ts';
import { de } from './de.ts';
import { type CertificateWords, en } from './en.ts';
import { ja } from './ja.ts';

export type { CertificateWords } from './en.ts';

const all: Readonly<Record<string, CertificateWords>> = { en, de, ar, ja };

/** Returns the certificate texts of a language such as `de`. Defaults to English. */
export const certificateWords = (language: string): CertificateWords => all[language] ?? en;
