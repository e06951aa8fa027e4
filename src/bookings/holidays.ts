import type { Holiday } from './calendar.ts';
import { invalidCalendar } from './calendar.ts';
import { dayMs, dayOf } from './availability/index.ts';
import type { Calendar } from './schemas.ts';

/** Years that are worked out beyond the last one that slots are offered for. */
const spareYears = 1;

export type Holidays = { days: Holiday[]; until: string | null };

/**
 * The holidays that a calendar closes on, from the day before `now` on for as long as slots are offered and a year more. Nothing for a
 * calendar without. The tables of all countries are loaded when first asked for. Errors: 422 `calendar_invalid`.
 */
export async function holidaysOf({ holidays, maxDaysAhead }: Pick<Calendar, 'holidays' | 'maxDaysAhead'>, now: Date): Promise<Holidays> {
  if (holidays === undefined) return { days: [], until: null };
  const { default: Tables } = await import('date-holidays');
  const { country, state, region, types = ['public'] } = holidays;
  refuseUnknown(new Tables(), { country, state, region });
  const tables = new Tables({ country, ...(state === undefined ? {} : { state }), ...(region === undefined ? {} : { region }) });
  const first = new Date(now.getTime() - dayMs).getUTCFullYear();
  const last = new Date(now.getTime() + maxDaysAhead * dayMs).getUTCFullYear() + spareYears;
  const days = new Map<number, string>();
  for (let year = first; year <= last; year += 1) {
    for (const { date, start, end, name, type } of tables.getHolidays(year)) {
      if (!types.includes(type)) continue;
      const from = dayOf(date.slice(0, 10));
      if (from === undefined) continue;
      // One that begins in the evening is the day after.
      const begins = Number(date.slice(11, 13)) >= 12 ? from + 1 : from;
      const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / dayMs));
      for (let day = begins; day < begins + length; day += 1) days.set(day, name.slice(0, 100));
    }
  }
  return { days: [...days].toSorted(([a], [b]) => a - b), until: `${last}-12-31` };
}

type Place = { country: string; state: string | undefined; region: string | undefined };
type Known = {
  getCountries(): object;
  getStates(country: string): object | undefined;
  getRegions(country: string, state: string): object | undefined;
};

function refuseUnknown(known: Known, { country, state, region }: Place): void {
  const has = (names: object | undefined, name: string) => Object.hasOwn(names ?? {}, name);
  if (!has(known.getCountries(), country)) throw invalidCalendar([['/holidays/country', 'is no country whose holidays are known']]);
  if (state === undefined) {
    if (region !== undefined) throw invalidCalendar([['/holidays/region', 'needs the state that it lies in']]);
    return;
  }
  if (!has(known.getStates(country), state)) throw invalidCalendar([['/holidays/state', `is no part of ${country}`]]);
  if (region !== undefined && !has(known.getRegions(country, state), region))
    throw invalidCalendar([['/holidays/region', `is no part of ${country}-${state}`]]);
}
