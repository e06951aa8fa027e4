import { languages, useLanguage } from '../../../texts/language.ts';

/** The units of a period, as in ISO 8601. */
export const units = ['Y', 'M', 'W', 'D'] as const;
export type Unit = (typeof units)[number];
const names: Record<Unit, string> = { Y: 'year', M: 'month', W: 'week', D: 'day' };

/** The parts of a period, such as 1 year and 6 months of `P1Y6M`. */
export const partsOf = (period: string): { count: number; unit: Unit }[] =>
  [...period.matchAll(/(\d+)([YMWD])/g)].map(([, count, unit]) => ({ count: Number(count), unit: unit as Unit }));

/** Returns a function that says a period in words, such as “10 years”. */
export function usePeriod(): (period: string) => string {
  const { locale } = languages[useLanguage()];
  return (period) =>
    new Intl.ListFormat(locale, { type: 'unit' }).format(
      partsOf(period).map(({ count, unit }) =>
        new Intl.NumberFormat(locale, { style: 'unit', unit: names[unit], unitDisplay: 'long' }).format(count),
      ),
    );
}
