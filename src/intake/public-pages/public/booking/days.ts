import { timeZoneName } from '../../../../platform/time-zones.ts';

/** A time that is free, as the calendar offers it. */
export type Slot = { start: string; end: string; remaining?: number };

/** A month in a zone, with what is free on each of its days. */
export type Month = {
  /** `YYYY-MM`. */
  month: string;
  zone: string;
  /** Weeks of seven days each, `YYYY-MM-DD`; nothing for days of other months. */
  weeks: (string | undefined)[][];
  free: ReadonlyMap<string, readonly Slot[]>;
};

/** The span of a month in a zone, as moments. */
export function spanOf(month: string, zone: string): { from: string; to: string } {
  const first = Temporal.PlainDate.from(`${month}-01`);
  const at = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone }).toInstant().toString();
  return { from: at(first), to: at(first.add({ months: 1 })) };
}

/** The day on which a moment falls in a zone. */
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

/** The day that a week begins with where a locale is spoken, 1 for Monday. */
export function firstDayOf(locale: string): number {
  try {
    return new Intl.Locale(locale).getWeekInfo().firstDay;
  } catch {
    return 1;
  }
}

/** A zone as the browser names it, if the zone database has it; otherwise the other. What an address says twice is none. */
export function knownZone(zone: unknown, otherwise: string): string {
  return (typeof zone === 'string' ? timeZoneName(zone) : undefined) ?? otherwise;
}

/** Whether the clocks of a zone show the time of a moment twice, as when they are put back. */
function comesTwice(moment: string, zone: string): boolean {
  const shown = Temporal.Instant.from(moment).toZonedDateTimeISO(zone).toPlainDateTime();
  const [first, second] = (['earlier', 'later'] as const).map((disambiguation) => shown.toZonedDateTime(zone, { disambiguation }));
  return first?.epochMilliseconds !== second?.epochMilliseconds;
}

const offsetAt = (moment: string, zone: string) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone).offsetNanoseconds;

/** How many characters a column of the month has room for on a phone. */
const maxShort = 4;

/** How moments and days are written in a locale and a zone. */
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
  // Which of two it is that clocks show alike.
  const named = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const timeNamed = () => format(named);
  const wholeNamed = () => format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', ...named });
  const plain = (text: string) => new Date(`${text}T00:00:00Z`);
  const number = format({ day: 'numeric' }, 'UTC');
  return {
    time: (moment: string) => (comesTwice(moment, zone) ? timeNamed() : time).format(new Date(moment)),
    /** A moment with its day and the name of the zone. */
    moment: (moment: string) => wholeNamed().format(new Date(moment)),
    /** From one moment to another, with the day. */
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
    /** Short enough for a column of a phone: in Arabic the short name is the whole one. */
    weekday(date: string) {
      const short = weekday.format(plain(date));
      return { short: short.length > maxShort ? weekdayNarrow.format(plain(date)) : short, long: weekdayLong.format(plain(date)) };
    },
  };
}
