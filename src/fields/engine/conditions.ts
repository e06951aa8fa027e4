import { type Condition, isRecord, type Scalar } from './field.ts';

/** Whether there is no answer: nothing, an empty text, an empty list. */
export function isEmpty(answer: unknown): boolean {
  return answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);
}

/** What the lists among answers hold, each looked through once for however many conditions. */
export type Choices = Map<readonly unknown[], ReadonlySet<unknown>>;

/**
 * Whether a condition holds for the answers that `answerOf` gives. It never throws and never changes anything, whatever the
 * answers are. `choices`: of the conditions that are judged by the same answers.
 */
export function holds(condition: Condition, answerOf: (field: string) => unknown, choices: Choices = new Map()): boolean {
  if ('all' in condition) return condition.all.every((one) => holds(one, answerOf, choices));
  if ('any' in condition) return condition.any.some((one) => holds(one, answerOf, choices));
  if ('not' in condition) return !holds(condition.not, answerOf, choices);
  const answer = answerOf(condition.field);
  if ('empty' in condition) return isEmpty(answer) === condition.empty;
  if ('eq' in condition) return isOneOf(answer, [condition.eq], choices);
  if ('ne' in condition) return !isOneOf(answer, [condition.ne], choices);
  if ('in' in condition) return isOneOf(answer, condition.in, choices);
  if ('gt' in condition) return compare(answer, condition.gt) > 0;
  return compare(answer, condition.lt) < 0;
}

/** The fields whose answers a condition looks at. */
export function fieldsNamed(condition: Condition): Set<string> {
  if ('all' in condition) return new Set(condition.all.flatMap((one) => [...fieldsNamed(one)]));
  if ('any' in condition) return new Set(condition.any.flatMap((one) => [...fieldsNamed(one)]));
  return 'not' in condition ? fieldsNamed(condition.not) : new Set([condition.field]);
}

/** A list is one of the values where any choice in it is. */
function isOneOf(answer: unknown, values: readonly Scalar[], choices: Choices): boolean {
  if (!Array.isArray(answer)) {
    const own = identityOf(answer);
    return values.some((value) => identityOf(value) === own);
  }
  const chosen = choices.get(answer) ?? new Set(answer.flat(Infinity).map(identityOf));
  choices.set(answer, chosen);
  return values.some((value) => chosen.has(identityOf(value)));
}

/** What an answer has in common with those that are the same: where it stands, or, where it stands nowhere, itself. */
function identityOf(answer: unknown): unknown {
  const place = placeOf(answer);
  return typeof place === 'string' || Number.isFinite(place) ? place : answer;
}

/** Below, at or above 0 as the answer is before, at or behind the value; NaN, which is neither, when the two do not compare. */
function compare(answer: unknown, value: Scalar): number {
  const [a, b] = [placeOf(answer), placeOf(value)];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return Number.NaN;
}

const time = /^\d\d:\d\d$/;
const wallClock = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Where a value stands among others of its kind: numbers and moments by their number, all other texts by their letters. */
export function placeOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  if (isRecord(value)) return typeof value.amount === 'string' || typeof value.amount === 'number' ? Number(value.amount) : undefined;
  if (typeof value !== 'string') return undefined;
  if (time.test(value)) return `${value}:00`;
  if (moment.test(value)) return Date.parse(value);
  // A wall clock time without a zone compares with others of its kind as if all were of one zone.
  return wallClock.test(value) ? Date.parse(`${value}Z`) : value;
}
