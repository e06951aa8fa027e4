import { checkAnswers, type Answers, type AnswerFault, type ResolvedField } from '#fields';

/** The pages of a form, in their order. A field that names none stands on the first. */
export function stepsOf(fields: readonly ResolvedField[]): { number: number; fields: ResolvedField[] }[] {
  const asked = fields.filter(({ type }) => type !== 'hidden');
  const numbers = [...new Set(asked.map(({ page = 1 }) => page))].toSorted((a, b) => a - b);
  return numbers.map((number) => ({ number, fields: asked.filter(({ page = 1 }) => page === number) }));
}

/** The steps on which something is asked for these answers. */
export function openSteps(fields: readonly ResolvedField[], visible: ReadonlySet<string>): number[] {
  const open = stepsOf(fields).filter((step) => step.fields.some(({ id }) => visible.has(id)));
  return open.map(({ number }) => number);
}

export type Looked = { values: Answers; visible: ReadonlySet<string>; faults: AnswerFault[] };

/** The answers as the form takes them now, with what is wrong with those of one step, or of all. */
export function lookAt(fields: readonly ResolvedField[], answers: Answers, locale: string, step?: number): Looked {
  const { values, visible, faults } = checkAnswers(fields, answers, { locale });
  const within = new Set(fields.filter(({ page = 1 }) => step === undefined || page === step).map(({ id }) => id));
  return { values, visible, faults: faults.filter(({ name }) => within.has(name)) };
}
