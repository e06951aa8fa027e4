/** The rules as data: the terms and names that the language check looks for, and their replacements. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const areas = ['comments', 'strings', 'docs', 'identifiers', 'files', 'commits'] as const;
export type Area = (typeof areas)[number];

/** One place that breaks a rule. The lines count from 1 and include both ends. */
export interface Finding {
  area: Area;
  rule: string;
  file: string;
  line: number;
  lastLine: number;
  message: string;
}

export interface Term {
  pattern: RegExp;
  use: string;
}

interface NamePattern {
  match: string;
  use: string;
  /** Only in files whose path matches. */
  files?: string;
  /** `false` leaves out members of types and objects. */
  members?: boolean;
}

export interface NameRules {
  /** Names with an exact replacement. */
  names: Record<string, string>;
  /** Parts of names, such as `heir` in `heirId`. */
  words: Record<string, string>;
  patterns: NamePattern[];
  /** Names that a rule would find by mistake. */
  allowed: string[];
  /** Names that the published contract or a standard fixes. */
  contract: string[];
  /** Problem codes, operation ids and enum values of the released API description (`openapi/released.json`). Clients use them. */
  released: string[];
  /** Type names that many files may declare. */
  sharedTypeNames: string[];
}

const read = (name: string): string => readFileSync(join(import.meta.dirname, name), 'utf8');
const lines = (name: string): string[] =>
  read(name)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

function termsOf(level: string): Term[] {
  const rows = lines('terms.txt').map((line) => line.split(' | ').map((column) => column.trim()));
  return rows.filter(([first]) => first === level).map(([, pattern = '', use = '']) => ({ pattern: new RegExp(pattern, 'gi'), use }));
}

export const gatedTerms = termsOf('gate');
export const advisedTerms = termsOf('advice');
export const nameRules: NameRules = JSON.parse(read('names.json'));
export const verbs: ReadonlySet<string> = new Set(lines('verbs.txt'));
