import { holidayPlaceError, holidaysAt } from '../../platform/holidays.ts';
import type { Holiday } from './calendar.ts';
import { invalidCalendar } from './calendar.ts';
import { dayMs, dayOf } from './availability/index.ts';
import type { Calendar } from './schemas.ts';

/** The number of additional years for which holidays are computed. */
const spareYears = 1;

export type Holidays = { days: Holiday[]; until: string | null };

/**
 * Returns the holidays that close a calendar, from the day before `now` until one year after the last offered slot. Returns none if
 * the calendar has no holiday settings. Throws 422 `calendar_invalid`.
 */
export async function holidaysOf({ holidays, maxDaysAhead }: Pick<Calendar, 'holidays' | 'maxDaysAhead'>, now: Date): Promise<Holidays> {
  if (holidays === undefined) return { days: [], until: null };
  const { types = ['public'], ...place } = holidays;
  const error = await holidayPlaceError(place);
  if (error) throw invalidCalendar([[`/holidays/${error.member}`, error.reason]]);
  const first = new Date(now.getTime() - dayMs).getUTCFullYear();
  const last = new Date(now.getTime() + maxDaysAhead * dayMs).getUTCFullYear() + spareYears;
  const found = await holidaysAt(place, types, { first, last });
  return {
    days: found.flatMap(({ date, name }): Holiday[] => {
      const day = dayOf(date);
      return day === undefined ? [] : [[day, name]];
    }),
    until: `${last}-12-31`,
  };
}
