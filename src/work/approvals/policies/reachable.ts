import { type Comparison, comparisonsIn, evaluateCondition, placeOf } from '#fields';
import type { Rule } from '../rules.ts';

/** Maximum number of comparisons of a search. A search that needs more makes no statement. */
const maxComparisons = 100_000;
/** Maximum number of compared choices of a field. The search tries each list of them. */
const maxChoices = 6;

/**
 * Returns the rules that never apply, for any answers: their condition cannot hold, or earlier rules always apply first. Tries an answer on each
 * side of each compared value, in all combinations. Returns nothing if there are too many.
 */
export function neverApplied(rules: readonly Rule[], onMissing: string): Set<string> {
  const comparisons = rules.flatMap(({ when }) => (when === undefined ? [] : comparisonsIn(when)));
  const names = [...new Set(comparisons.map(({ field }) => field))];
  const answers = names.map((name) => answersFor(comparisons.filter(({ field }) => field === name)));
  const combinations = answers.reduce((product, one) => product * one.length, 1);
  if (combinations === 0 || combinations * comparisons.length > maxComparisons) return new Set();
  const left = new Set(rules.map(({ id }) => id));
  for (let at = 0; at < combinations && left.size > 0; at += 1) {
    const chosen = combinationAt(at, names, answers);
    const results = rules.map(({ when }) => when === undefined || evaluateCondition(when, (field) => chosen.get(field)));
    const first = results.findIndex((result) => result !== false);
    left.delete(results[first] === 'unknown' ? onMissing : (rules[first]?.id ?? ''));
  }
  return left;
}

function combinationAt(at: number, names: readonly string[], answers: readonly (readonly unknown[])[]): Map<string, unknown> {
  let rest = at;
  return new Map(
    names.map((name, index) => {
      const values = answers[index] ?? [];
      const value = values[rest % values.length];
      rest = Math.floor(rest / values.length);
      return [name, value];
    }),
  );
}

/** Returns answers to a field: each possible answer compares like one of them. Returns none if there are too many. */
function answersFor(comparisons: readonly Comparison[]): unknown[] {
  const compared: unknown[] = comparisons.flatMap((one) =>
    Object.entries(one).flatMap(([name, value]) => (name === 'field' || name === 'empty' ? [] : [value].flat())),
  );
  const choices = [...new Set(comparisons.flatMap((one) => ('eq' in one ? [one.eq] : 'ne' in one ? [one.ne] : 'in' in one ? one.in : [])))];
  if (choices.length > maxChoices) return [];
  const lists = Array.from({ length: 2 ** choices.length }, (_, bits) => choices.filter((__, at) => (bits >> at) % 2 === 1));
  const amounts = compared.filter((one) => typeof one === 'object' && one !== null) as { amount: unknown; currency: string }[];
  const currencies = [...new Set(amounts.map(({ currency }) => currency))];
  // An amount is also compared with plain numbers and times, by its number.
  const numbers = compared.flatMap((one) => (typeof one === 'object' ? [] : [placeOf(one)])).filter((place) => typeof place === 'number');
  return [
    undefined,
    true,
    false,
    'another answer',
    { amount: '1', currency: 'another currency' },
    ...lists,
    ...around(compared.filter((one) => typeof one === 'number')),
    ...currencies.flatMap((of) =>
      around([...numbers, ...amounts.flatMap(({ amount, currency }) => (currency === of ? [Number(amount)] : []))]).map((amount) => ({
        amount,
        currency: of,
      })),
    ),
    ...compared.flatMap((one) => (typeof one === 'string' ? nearTexts(one) : [])),
  ];
}

/** Returns the numbers, and a number on each side of each. */
function around(numbers: readonly number[]): number[] {
  const sorted = [...new Set(numbers)].toSorted((a, b) => a - b);
  return sorted.flatMap((one, at) => [
    ...(at === 0 ? [one - 1] : []),
    one,
    at + 1 < sorted.length ? (one + (sorted[at + 1] ?? 0)) / 2 : one + 1,
  ]);
}

/** Returns a text with the nearest text, or the nearest time, on each side. */
function nearTexts(text: string): string[] {
  const last = text.length - 1;
  const below = `${text.slice(0, last)}${String.fromCharCode(Math.max(0, text.charCodeAt(last) - 1))}\uFFFF`;
  const times = [Date.parse(text), Date.parse(`${text}Z`)].filter((time) => Math.abs(time) < 8e15);
  return [text, `${text}\u0001`, below, ...times.flatMap((time) => [new Date(time - 1).toISOString(), new Date(time + 1).toISOString()])];
}
