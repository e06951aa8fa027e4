/** An error of a member of a step. `member` is its path in the step. */
export type StepError = { member: string; reason: string; rule: string };
export const stepError = (member: string, reason: string, rule = 'step'): StepError => ({ member, reason, rule });

/** Escapes a member name as a part of a JSON pointer. */
export const pointerPart = (member: string) => member.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
