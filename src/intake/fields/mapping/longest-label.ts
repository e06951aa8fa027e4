import { answerText, countries, type Field } from '../engine/index.ts';

const pad = (value: number, digits: number) => String(value).padStart(digits, '0');

/** Dates whose texts are the longest in some language: each month of any calendar, its first day, and years of one and of four digits. */
const dates = [1, 9999].flatMap((year) =>
  Array.from({ length: 12 }, (_, month) =>
    [1, 5, 10, 15, 20, 25, 28].map((day) => `${pad(year, 4)}-${pad(month + 1, 2)}-${pad(day, 2)}`),
  ).flat(),
);

const known = new Map<string, number>();
const maxKnown = 5_000;

/** Returns the length of the longest text of some answers in a language. */
function longestOf(key: string, measure: () => number): number {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= maxKnown) known.clear();
  const length = measure();
  known.set(key, length);
  return length;
}

/** Returns the length of the longest text of a date or country in the languages. */
export function longestLabel(type: 'date' | 'country', locales: readonly string[]): number {
  const samples = type === 'date' ? dates : countries;
  const field: Pick<Field, 'type'> = { type };
  const measure = (locale: string) => Math.max(...Array.from(samples, (value) => Array.from(answerText(field, value, locale)).length));
  return Math.max(...locales.map((locale) => longestOf(`${type} ${locale}`, () => measure(locale))));
}
