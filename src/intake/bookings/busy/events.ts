import ICAL from 'ical.js';
import type { Span } from '../availability/index.ts';
import { type Component, type Property, valueIn } from './calendar-lines.ts';
import { namedZone, UnreadableEvent, type Zone } from './zones.ts';

/** A local time from a file with its zone. All-day values use the zone of the calendar. */
export type Moment = { plain: Temporal.PlainDateTime; isDay: boolean; zone: Zone };

/** The zones for the times of one calendar. `zone` applies to times without a zone. */
export type ZoneContext = { zone: Zone; zoneNamed: (tzid: string) => Zone };

export const instantOf = ({ plain, zone }: Moment): number => zone.toInstant(plain);

const dateTime = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z)?)?$/i;
const utc = namedZone('UTC');

export function momentOf(text: string, tzid: string | undefined, { zone, zoneNamed }: ZoneContext): Moment {
  const [, year, month, day, hour, minute, second, z] = dateTime.exec(text.trim()) ?? [];
  if (year === undefined) throw new UnreadableEvent('has a time that cannot be read');
  const fields = { year: Number(year), month: Number(month), day: Number(day) };
  const isDay = hour === undefined;
  const clock = isDay ? {} : { hour: Number(hour), minute: Number(minute), second: Math.min(Number(second), 59) };
  try {
    const plain = Temporal.PlainDateTime.from({ ...fields, ...clock }, { overflow: 'reject' });
    if (z !== undefined) return { plain, isDay, zone: utc };
    return { plain, isDay, zone: isDay || tzid === undefined ? zone : zoneNamed(tzid) };
  } catch (error) {
    throw error instanceof RangeError ? new UnreadableEvent('has a time that does not exist') : error;
  }
}

const list = ({ value }: Property) => value.split(',').filter((one) => one.trim() !== '');

/** Returns the times of all properties with a name. */
export const momentsIn = ({ properties }: Component, name: string, zones: ZoneContext): Moment[] =>
  properties.flatMap((property) =>
    property.name === name ? list(property).map((one) => momentOf(one.split('/')[0] ?? '', property.tzid, zones)) : [],
  );

/** Returns the periods of a property, such as `20261203T150000Z/PT3H`. */
export function periodsIn(property: Property, zones: ZoneContext): Span[] {
  return list(property).flatMap((one) => {
    const [start = '', end] = one.split('/');
    if (end === undefined) return [];
    const begin = momentOf(start, property.tzid, zones);
    return [
      {
        from: instantOf(begin),
        until: /^[+-]?P/i.test(end) ? instantOf(after(begin, end)) : instantOf(momentOf(end, property.tzid, zones)),
      },
    ];
  });
}

/** Adds a duration: days in local time, hours in elapsed time. */
function after({ plain, zone, isDay }: Moment, duration: string): Moment {
  const { weeks, days, hours, minutes, seconds, isNegative } = durationOf(duration);
  if (isNegative) throw new UnreadableEvent('ends before it begins');
  const instant = zone.toInstant(plain.add({ days: weeks * 7 + days })) + (hours * 3_600 + minutes * 60 + seconds) * 1_000;
  return { plain: zone.toPlain(instant), zone, isDay };
}

function durationOf(text: string) {
  try {
    return ICAL.Duration.fromString(text.trim());
  } catch {
    throw new UnreadableEvent('has a duration that cannot be read');
  }
}

/** A parsed event: its start, a function that computes the end for any start, and whether it is busy time. */
export type Event = { component: Component; start: Moment; endOf: (start: Moment) => number; isBusy: boolean };

export function eventOf(component: Component, zones: ZoneContext): Event {
  const property = component.properties.find(({ name }) => name === 'DTSTART');
  if (!property) throw new UnreadableEvent('has no start');
  const start = momentOf(property.value, property.tzid, zones);
  return { component, start, endOf: endsOf(component, start, zones), isBusy: !isFree(component) };
}

function endsOf(component: Component, start: Moment, zones: ZoneContext): Event['endOf'] {
  const duration = valueIn(component, 'DURATION');
  if (duration !== undefined) return (begin) => instantOf(after(begin, duration));
  const end = component.properties.find(({ name }) => name === 'DTEND');
  if (start.isDay) {
    const last = end && momentOf(end.value, end.tzid, zones).plain;
    const days = last ? start.plain.until(last, { largestUnit: 'days' }).days : 1;
    if (days < 0) throw new UnreadableEvent('ends before it begins');
    // Some programs write the last day as the end instead of the day after it.
    return ({ plain, zone }) => zone.toInstant(plain.add({ days: Math.max(days, 1) }));
  }
  const lasts = end ? instantOf(momentOf(end.value, end.tzid, zones)) - instantOf(start) : 0;
  if (lasts < 0) throw new UnreadableEvent('ends before it begins');
  return (begin) => instantOf(begin) + lasts;
}

function isFree(component: Component): boolean {
  const value = (name: string) => valueIn(component, name)?.toUpperCase();
  return value('TRANSP') === 'TRANSPARENT' || value('STATUS') === 'CANCELLED' || value('X-MICROSOFT-CDO-BUSYSTATUS') === 'FREE';
}
