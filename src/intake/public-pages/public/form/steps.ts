import { checkAnswers, checkWith, type Answers, type AnswerError, type ResolvedField } from '#fields';

/** Returns the pages of a form in order. Fields without a page are on the first one. */
export function stepsOf(fields: readonly ResolvedField[]): { number: number; fields: ResolvedField[] }[] {
  const questions = fields.filter(({ type }) => type !== 'hidden');
  const numbers = [...new Set(questions.map(({ page = 1 }) => page))].toSorted((a, b) => a - b);
  return numbers.map((number) => ({ number, fields: questions.filter(({ page = 1 }) => page === number) }));
}

/** Returns the steps with visible questions for these answers. */
export function openSteps(fields: readonly ResolvedField[], visible: ReadonlySet<string>): number[] {
  const open = stepsOf(fields).filter((step) => step.fields.some(({ id }) => visible.has(id)));
  return open.map(({ number }) => number);
}

/** Returns the visible fields for these answers. */
export function shownFor(fields: readonly ResolvedField[], answers: Answers, locale: string): ReadonlySet<string> {
  return checkWith(fields, answers, { locale }).visible;
}

/** Returns the errors in the answers of all steps. */
export async function errorsOf(fields: readonly ResolvedField[], answers: Answers, judging: Judging): Promise<AnswerError[]> {
  return (await checkAnswers(fields, answers, judging)).errors;
}

/** `team` is the team of the form. */
export type Judging = { locale: string; team: string };

/** Returns the errors of one step. */
export function onStep(fields: readonly ResolvedField[], errors: readonly AnswerError[], step: number): AnswerError[] {
  const within = new Set(fields.filter(({ page = 1 }) => page === step).map(({ id }) => id));
  return errors.filter(({ name }) => within.has(name));
}
