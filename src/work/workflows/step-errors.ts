/** What is wrong with a member of a step, which it names by its place in the step. */
export type StepError = { member: string; reason: string; rule: string };
export const stepError = (member: string, reason: string, rule = 'step'): StepError => ({ member, reason, rule });

/** A member of an object as a part of a JSON pointer. */
export const pointerPart = (member: string) => member.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
