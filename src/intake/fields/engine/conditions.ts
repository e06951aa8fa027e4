import { type Amount, type Condition, isRecord, type Scalar } from './field.ts';

/** Returns whether there is no answer: no value, an empty text or an empty list. */
export function isEmpty(answer: unknown): boolean {
  return answer === undefined || answer === null || answer === '' || (Array.isArray(answer) && answer.length === 0);
}

/** Caches the choices of list answers as sets, for all conditions. */
export type Choices = Map<readonly unknown[], ReadonlySet<unknown>>;

/** The result of a condition. It is `unknown` if the result depends on a missing answer. */
export type ConditionResult = boolean | 'unknown';

/** A part of a condition that compares one field. */
export type Comparison = Exclude<Condition, { all: unknown } | { any: unknown } | { not: unknown }>;

/**
 * Returns whether a condition is true for the answers of `answerOf`. A missing answer equals no value. Never throws, and has no side effects.
 * `choices` is a cache for conditions on the same answers.
 */
export function holds(condition: Condition, answerOf: (field: string) => unknown, choices: Choices = new Map()): boolean {
  return combine(condition, (one) => matches(one, answerOf(one.field), choices)) === true;
}

/**
 * Evaluates a condition in three-valued (Kleene) logic. A comparison is unknown if its answer is missing, unless the condition also tests
 * that field with `empty`. It is also unknown if the answer is an amount in a currency that the condition does not name for that field.
 */
export function evaluateCondition(condition: Condition, answerOf: (field: string) => unknown): ConditionResult {
  const isKnown = knownIn(condition, answerOf);
  const choices: Choices = new Map();
  return combine(condition, (one) => (isKnown(one) ? matches(one, answerOf(one.field), choices) : 'unknown'));
}

/** Returns the fields whose answers leave a comparison of the condition unknown. */
export function fieldsMissing(condition: Condition, answerOf: (field: string) => unknown): string[] {
  const isKnown = knownIn(condition, answerOf);
  return [...new Set(comparisonsIn(condition).flatMap((one) => (isKnown(one) ? [] : [one.field])))];
}

/** Returns whether the answer to a comparison decides it. A number without currency does not compare with an amount. */
function knownIn(condition: Condition, answerOf: (field: string) => unknown): (comparison: Comparison) => boolean {
  const comparisons = comparisonsIn(condition);
  const expected = new Set(comparisons.flatMap((one) => ('empty' in one ? [one.field] : [])));
  const currencies = new Set(comparisons.flatMap((one) => amountsOf(one).map(({ currency }) => JSON.stringify([one.field, currency]))));
  return (one) => {
    const answer = answerOf(one.field);
    if (isEmpty(answer)) return expected.has(one.field);
    const currency = isRecord(answer) ? answer.currency : undefined;
    if (amountsOf(one).length === 0 && (currency === undefined || 'empty' in one)) return true;
    return currencies.has(JSON.stringify([one.field, currency]));
  };
}

/** Combines the results of comparisons. It stops at the first decisive one. */
function combine(condition: Condition, evaluate: (comparison: Comparison) => ConditionResult): ConditionResult {
  if ('not' in condition) {
    const result = combine(condition.not, evaluate);
    return result === 'unknown' ? result : !result;
  }
  if (!('all' in condition) && !('any' in condition)) return evaluate(condition);
  const [parts, decisive] = 'any' in condition ? [condition.any, true] : [condition.all, false];
  let combined: ConditionResult = !decisive;
  for (const one of parts) {
    const result = combine(one, evaluate);
    if (result === decisive) return decisive;
    if (result === 'unknown') combined = result;
  }
  return combined;
}

function matches(comparison: Comparison, answer: unknown, choices: Choices): boolean {
  if ('empty' in comparison) return isEmpty(answer) === comparison.empty;
  if ('eq' in comparison) return isOneOf(answer, [comparison.eq], choices);
  if ('ne' in comparison) return !isOneOf(answer, [comparison.ne], choices);
  if ('in' in comparison) return isOneOf(answer, comparison.in, choices);
  if ('gt' in comparison) return compare(answer, comparison.gt) > 0;
  return compare(answer, comparison.lt) < 0;
}

/** Returns the amounts of a comparison. */
function amountsOf(comparison: Comparison): Amount[] {
  const values =
    'in' in comparison ? comparison.in : Object.entries(comparison).flatMap(([name, value]) => (name === 'field' ? [] : [value]));
  return values.filter(isRecord) as Amount[];
}

/** Returns the comparisons of a condition. */
export function comparisonsIn(condition: Condition): Comparison[] {
  if ('all' in condition) return condition.all.flatMap(comparisonsIn);
  if ('any' in condition) return condition.any.flatMap(comparisonsIn);
  return 'not' in condition ? comparisonsIn(condition.not) : [condition];
}

/** Returns the fields that a condition refers to. */
export function fieldsNamed(condition: Condition): Set<string> {
  return new Set(comparisonsIn(condition).map(({ field }) => field));
}

/** Returns false if a value is an amount in another currency than the answer. */
const isSameCurrency = (answer: unknown, value: unknown): boolean =>
  !isRecord(value) || (isRecord(answer) && answer.currency === value.currency);

/** A list answer matches if any of its choices does. */
function isOneOf(answer: unknown, values: readonly (Scalar | Amount)[], choices: Choices): boolean {
  if (!Array.isArray(answer)) {
    const own = identityOf(answer);
    return values.some((value) => isSameCurrency(answer, value) && identityOf(value) === own);
  }
  const chosen = choices.get(answer) ?? new Set(answer.flat(Infinity).map(identityOf));
  choices.set(answer, chosen);
  return values.some((value) => chosen.has(identityOf(value)));
}

/** Returns a value that is the same for equal answers: the sort position, or the answer itself if it has none. */
function identityOf(answer: unknown): unknown {
  const place = placeOf(answer);
  return typeof place === 'string' || Number.isFinite(place) ? place : answer;
}

/** Compares like a sort function. Returns NaN if the values are not comparable. */
function compare(answer: unknown, value: Scalar | Amount): number {
  if (!isSameCurrency(answer, value)) return Number.NaN;
  const [a, b] = [placeOf(answer), placeOf(value)];
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : Number(a > b);
  return Number.NaN;
}

const time = /^\d\d:\d\d$/;
const wallClock = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?$/;
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** Returns the sort position of a value: a number for numbers and instants, the text itself for other texts. */
export function placeOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return value;
  if (isRecord(value)) return typeof value.amount === 'string' || typeof value.amount === 'number' ? Number(value.amount) : undefined;
  if (typeof value !== 'string') return undefined;
  if (time.test(value)) return `${value}:00`;
  if (moment.test(value)) return Date.parse(value);
  // Local times without an offset compare as if all were in UTC.
  return wallClock.test(value) ? Date.parse(`${value}Z`) : value;
}
