import { ar } from './ar.ts';
import { de } from './de.ts';
import { type CertificateWords, en } from './en.ts';
import { ja } from './ja.ts';

export type { CertificateWords } from './en.ts';

const all: Readonly<Record<string, CertificateWords>> = { en, de, ar, ja };

/** What the certificate says in a language such as `de`; in English where there is no other. */
export const certificateWords = (language: string): CertificateWords => all[language] ?? en;
