import { timeZoneName } from '../../../../platform/time-zones.ts';

/** A free time of the calendar. */
export type Slot = { start: string; end: string; remaining?: number };

/** A month in a time zone, with the free times of each day. */
export type Month = {
  /** `YYYY-MM`. */
  month: string;
  zone: string;
  /** Weeks of seven days each, `YYYY-MM-DD`; undefined for days of other months. */
  weeks: (string | undefined)[][];
  free: ReadonlyMap<string, readonly Slot[]>;
};

/** Returns the first and last instant of a month in a time zone. */
export function spanOf(month: string, zone: string): { from: string; to: string } {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const at = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone }).toInstant().toString();
  return { from: at(first), to: at(first.add({ months: 1 })) };
}

/** Returns the date of an instant in a time zone. */
export function dayOf(moment: string, zone: string): string {
  return Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** @param firstDay the first day of the week, 1 for Monday */
export function monthOf(month: string, zone: string, slots: readonly Slot[], firstDay: number): Month {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const blank = (first.dayOfWeek - firstDay + 7) % 7;
  const days = Array.from({ length: first.daysInMonth }, (_, place) => first.add({ days: place }).toString());
  const cells = [...Array.from<undefined>({ length: blank }), ...days];
  while (cells.length % 7 !== 0) cells.push(undefined);
  const weeks = Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
  const free = Map.groupBy(slots, ({ start }) => dayOf(start, zone));
  return { month, zone, weeks, free };
}

export function monthBeside(month: string, by: 1 | -1): string {
  return Temporal.PlainYearMonth.from(month).add({ months: by }).toString();
}

/** Returns the first day of the week in the region of a locale, 1 for Monday. */
export function firstDayOf(locale: string): number {
  try {
    return new Intl.Locale(locale).getWeekInfo().firstDay;
  } catch {
    return 1;
  }
}

/** Returns the time zone of the browser if the zone database has it, otherwise `otherwise`. A repeated parameter counts as invalid. */
export function knownZone(zone: unknown, otherwise: string): string {
  return (typeof zone === 'string' ? timeZoneName(zone) : undefined) ?? otherwise;
}

/** Returns whether the local time of an instant occurs twice, because of a clock change. */
function comesTwice(moment: string, zone: string): boolean {
  const shown = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) => shown.toZonedDateTime(zone, { disambiguation }));
  return first?.epochMilliseconds !== second?.epochMilliseconds;
}

const offsetAt = (moment: string, zone: string) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone).offsetNanoseconds;

/** The maximum number of characters of a weekday name in a calendar column on a phone. */
const maxShort = 4;

/** Returns functions that format instants and days in a locale and time zone. */
export function writer(locale: string, zone: string) {
  const format = (options: Intl.DateTimeFormatOptions, timeZone = zone) => {
    try {
      return new Intl.DateTimeFormat(locale, { ...options, timeZone });
    } catch {
      return new Intl.DateTimeFormat('en', { ...options, timeZone });
    }
  };
  const [time, whole, day, month, weekday, weekdayNarrow, weekdayLong] = [
    format({ timeStyle: 'short' }),
    format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', hour: 'numeric', minute: '2-digit' }),
    format({ weekday: 'long', day: 'numeric', month: 'long' }, 'UTC'),
    format({ month: 'long', year: 'numeric' }, 'UTC'),
    format({ weekday: 'short' }, 'UTC'),
    format({ weekday: 'narrow' }, 'UTC'),
    format({ weekday: 'long' }, 'UTC'),
  ];
  // The zone name distinguishes two instants with the same local time.
  const named = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const timeNamed = () => format(named);
  const wholeNamed = () => format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', ...named });
  const plain = (text: string) => new Date(`${text}T00:00:00Z`);
  const number = format({ day: 'numeric' }, 'UTC');
  return {
    time: (moment: string) => (comesTwice(moment, zone) ? timeNamed() : time).format(new Date(moment)),
    /** Formats an instant with its day and time zone. */
    moment: (moment: string) => wholeNamed().format(new Date(moment)),
    /** Formats the range between two instants, with the day. */
    span(start: string, end: string) {
      const [from, to] = [new Date(start), new Date(end)];
      if (offsetAt(start, zone) !== offsetAt(end, zone)) {
        const last = dayOf(start, zone) === dayOf(end, zone) ? timeNamed() : wholeNamed();
        return `${wholeNamed().format(from)} – ${last.format(to)}`;
      }
      return (comesTwice(start, zone) || comesTwice(end, zone) ? wholeNamed() : whole).formatRange(from, to);
    },
    day: (date: string) => day.format(plain(date)),
    dayNumber: (date: string) => number.formatToParts(plain(date)).find(({ type }) => type === 'day')?.value ?? '',
    month: (text: string) => month.format(plain(`${text}-01`)),
    /** Formats a weekday, short enough for a column on a phone. In Arabic the short name equals the full name. */
    weekday(date: string) {
      const short = weekday.format(plain(date));
      return { short: short.length > maxShort ? weekdayNarrow.format(plain(date)) : short, long: weekdayLong.format(plain(date)) };
    },
  };
}
