/** What is wrong with a member of a step, which it names by its place in the step. */
export type Fault = { member: string; reason: string; rule: string };
export const fault = (member: string, reason: string, rule = 'step'): Fault => ({ member, reason, rule });

/** What is wrong with outcomes that are chosen. */
export const outcomesFault = fault(
  'config/outcomes',
  'must be 1 to 20 different texts of letters, digits, spaces, `_`, `.` and `-`, 1 to 100 characters each',
);
/** Whether these may be the outcomes of a step. */
export const areOutcomes = (outcomes: unknown): boolean =>
  Array.isArray(outcomes) &&
  outcomes.length >= 1 &&
  outcomes.length <= 20 &&
  new Set(outcomes).size === outcomes.length &&
  outcomes.every((one) => typeof one === 'string' && /^[\p{L}\p{N}][\p{L}\p{N} _.-]{0,98}[\p{L}\p{N}]$|^[\p{L}\p{N}]$/u.test(one));

/** A member of an object as a part of a JSON pointer. */
export const pointerPart = (member: string) => member.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1');
