import { holidayPlaceError, holidaysAt } from '../../platform/holidays.ts';
import type { Holiday } from './calendar.ts';
import { invalidCalendar } from './calendar.ts';
import { dayMs, dayOf } from './availability/index.ts';
import type { Calendar } from './schemas.ts';

/** Years that are worked out beyond the last one that slots are offered for. */
const spareYears = 1;

export type Holidays = { days: Holiday[]; until: string | null };

/**
 * The holidays that a calendar closes on, from the day before `now` on for as long as slots are offered and a year more. Nothing for a
 * calendar without. Errors: 422 `calendar_invalid`.
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
