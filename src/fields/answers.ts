import type { Field } from './engine/field.ts';
import { type CheckedAnswers, checkAnswers as checkWith, type Judging } from './engine/validation.ts';
import { matchesPattern } from './patterns.ts';

/** Answers as the definition takes them, with patterns: what the server decides by. See {@link checkWith}. */
export function checkAnswers(fields: readonly Field[], given: unknown, judging: Omit<Judging, 'matches'>): CheckedAnswers {
  return checkWith(fields, given, { ...judging, matches: matchesPattern });
}
