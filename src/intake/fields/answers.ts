import type { Field } from './engine/field.ts';
import { type CheckedAnswers, checkAnswers as checkWith, type Judging } from './engine/validation.ts';
import { PatternTexts } from './patterns.ts';

/** Checks answers against a definition with its patterns. `team` is the owner of the definition. See {@link checkWith}. */
export async function checkAnswers(
  fields: readonly Field[],
  given: unknown,
  { team, ...judging }: Omit<Judging, 'matches'> & { team: string },
): Promise<CheckedAnswers> {
  const texts = new PatternTexts();
  if (!hasPatterns(fields)) return checkWith(fields, given, judging);
  collectTexts(fields, given, texts);
  const { matches } = await texts.check(team);
  return checkWith(fields, given, { ...judging, matches });
}

/** Returns whether any field has a pattern. */
export const hasPatterns = (fields: readonly Field[]): boolean => fields.some(({ validation }) => validation?.pattern !== undefined);

/** Collects the texts whose patterns the check of the answers needs. */
export function collectTexts(fields: readonly Field[], given: unknown, texts: PatternTexts): void {
  const matches = (pattern: string, text: string) => {
    texts.add(pattern, text);
    return true;
  };
  checkWith(fields, given, { locale: 'en', matches });
}
