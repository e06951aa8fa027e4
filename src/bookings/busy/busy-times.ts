import ICAL from 'ical.js';
import { timeZoneName } from '../../platform/time-zones.ts';
import type { Span } from '../availability/index.ts';

/** What a calendar file is read for: busy times between two moments. `zone` is meant where it names none. */
export type BusyQuestion = { text: string; from: number; until: number; zone: string; most: number };

/** A file that cannot be used; the message is for who named its address. */
export class UnusableFile extends Error {}

/**
 * The busy times of a calendar file (RFC 5545), repetitions resolved, in any order. What is transparent or cancelled is free.
 * A file may be made so that this takes for ever: it is done in a thread that is ended (see `reader.ts`).
 */
export function busyTimes({ text, from, until, zone, most }: BusyQuestion): Span[] {
  const calendar = parsed(text);
  registerZones(calendar, text);
  const found: Span[] = [];
  const add = (span: Span | undefined) => {
    if (!span || span.until <= from || span.from >= until || span.until <= span.from) return;
    if (found.length === most) throw new UnusableFile(`has more than ${most} events in the time that bookings are taken for`);
    found.push(span);
  };
  const bySeries = Map.groupBy(calendar.getAllSubcomponents('vevent'), (event) => String(event.getFirstPropertyValue('uid') ?? ''));
  for (const [uid, events] of bySeries) {
    const masters = uid === '' ? events : events.filter((event) => !event.hasProperty('recurrence-id'));
    const others = uid === '' ? [] : events.filter((event) => event.hasProperty('recurrence-id'));
    if (masters.length === 0) for (const other of others) add(single(other, zone));
    for (const master of masters) for (const span of occurrences(master, others, { until, zone })) add(span);
  }
  return found;
}

function parsed(text: string): InstanceType<typeof ICAL.Component> {
  let calendar: InstanceType<typeof ICAL.Component>;
  try {
    // A file may hold several calendars behind one another: the parser answers with a list of them.
    const read: unknown = ICAL.parse(text);
    const [first] = Array.isArray(read) && Array.isArray(read[0]) ? (read as unknown[][]) : [read as unknown[]];
    calendar = new ICAL.Component(first as unknown as string);
  } catch {
    throw new UnusableFile('is no calendar file');
  }
  if (calendar.name !== 'vcalendar') throw new UnusableFile('is no calendar file');
  return calendar;
}

/** A zone that the zone database knows: read by that, whatever the file says of it or does not. */
class KnownZone extends ICAL.Timezone {
  override utcOffset({ year, month, day, hour, minute, second }: Time): number {
    const plain = Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });
    return plain.toZonedDateTime(this.tzid).offsetNanoseconds / 1e9;
  }
}

function registerZones(calendar: Component, text: string): void {
  for (const timezone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(timezone);
  const named = new Set([...text.replaceAll(/\r?\n[ \t]/g, '').matchAll(/TZID="?([\w/+-]{1,64})"?:/g)].map(([, name = '']) => name));
  for (const name of named) {
    if (timeZoneName(name) !== undefined) ICAL.TimezoneService.register(new KnownZone({ tzid: name }), name);
  }
}

type Component = InstanceType<typeof ICAL.Component>;
type Time = InstanceType<typeof ICAL.Time>;

function isFree(component: Component): boolean {
  const value = (name: string) => String(component.getFirstPropertyValue(name) ?? '').toUpperCase();
  return value('transp') === 'TRANSPARENT' || value('status') === 'CANCELLED' || value('x-microsoft-cdo-busystatus') === 'FREE';
}

function single(component: Component, zone: string): Span | undefined {
  if (isFree(component)) return undefined;
  const event = new ICAL.Event(component);
  return spanOf(event.startDate, event.endDate, zone);
}

function* occurrences(
  master: Component,
  others: Component[],
  { until, zone }: { until: number; zone: string },
): Generator<Span | undefined> {
  const event = new ICAL.Event(master, { strictExceptions: false, exceptions: others });
  if (!event.isRecurring()) {
    yield single(master, zone);
    for (const other of others) yield single(other, zone);
    return;
  }
  const series = event.iterator();
  for (let next = series.next(); next; next = series.next()) {
    if (instant(next, zone) >= until) return;
    const { item, startDate, endDate } = event.getOccurrenceDetails(next);
    if (!isFree(item.component)) yield spanOf(startDate, endDate, zone);
  }
}

function spanOf(start: Time | null, end: Time | null, zone: string): Span | undefined {
  if (!start) return undefined;
  return { from: instant(start, zone), until: instant(end ?? start, zone) };
}

/**
 * A time of the file. Zones that the zone database knows are read by that, whatever the file says of them; others by what the
 * file says; days, and times without a zone, by the zone of the calendar.
 */
function instant(time: Time, zone: string): number {
  const { year, month, day, hour, minute, second } = time;
  const plain = { year, month, day, hour: time.isDate ? 0 : hour, minute: time.isDate ? 0 : minute, second: time.isDate ? 0 : second };
  const { tzid } = time.zone ?? { tzid: 'floating' };
  if (!time.isDate && (tzid === 'UTC' || tzid === 'Z')) return Temporal.PlainDateTime.from(plain).toZonedDateTime('UTC').epochMilliseconds;
  const named = time.isDate || tzid === 'floating' ? zone : tzid;
  try {
    return Temporal.PlainDateTime.from(plain).toZonedDateTime(named).epochMilliseconds;
  } catch {
    return time.toUnixTime() * 1_000;
  }
}
