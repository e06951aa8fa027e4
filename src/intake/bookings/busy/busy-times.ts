import type { Span } from '../availability/index.ts';
import { type Event, eventOf, instantOf, momentOf, periodsIn, type ZoneContext } from './events.ts';
import { calendarsIn, type CalendarPart, type Component, UnusableFile, valueIn } from './calendar-lines.ts';
import { occurrences, tooMany, type Window } from './series.ts';
import { namedZone, UnreadableEvent, zonesOf } from './zones.ts';

export { UnreachableFile, UnusableFile } from './calendar-lines.ts';

/**
 * Input for reading a calendar file: its text and a time range. `zone` applies to times without a zone. `without` has the numbers of series that
 * earlier attempts skipped because they took too long.
 */
export type BusyQuestion = { text: string; from: number; until: number; zone: string; most: number; without?: readonly number[] };

/** An event that is missing from the busy times, in whole or in part. `summary` and `start` are as in the file. */
export type SkippedEvent = { reason: string; summary?: string; start?: string };
export type BusyTimes = { spans: Span[]; skipped: SkippedEvent[] };

/** The maximum number of reported events. Further events are dropped. */
const maxSkipped = 20;
const tooLong = 'takes too long to be read';

/**
 * Returns the busy times of a calendar file (RFC 5545) in any order, with recurrences expanded. Transparent and cancelled events are free. Skips and
 * reports an event that cannot be read. `onSeries` receives the number of the current series. With it, the reader can end the thread if a recurrence
 * rule never finishes (see `reader.ts`).
 */
export function busyTimes(
  { text, from, until, zone, most, without = [] }: BusyQuestion,
  onSeries: (number: number) => void = () => undefined,
): BusyTimes {
  const window = { from, until, most };
  const found: Span[] = [];
  const skipped: SkippedEvent[] = [];
  const skip = (component: Component, reason: string) => {
    if (skipped.length < maxSkipped) skipped.push(shown(component, reason));
  };
  for (const { number, series, zones } of seriesIn(text, zone)) {
    const [first] = series;
    if (without.includes(number)) {
      skip(first, tooLong);
      continue;
    }
    onSeries(number);
    const times = timesOf(series, { zones, window, skip });
    const inside = times.filter((span) => span.until > from && span.from < until && span.until > span.from);
    if (inside.length > most) skip(first, tooMany(most));
    else if (found.length + inside.length > most) throw new UnusableFile(tooMany(most));
    else found.push(...inside);
  }
  return { spans: found, skipped };
}

type Series = [Component, ...Component[]];

/** Yields the series of a file with their numbers and the zones for their times. */
function* seriesIn(text: string, zone: string): Generator<{ number: number; series: Series; zones: ZoneContext }> {
  let number = 0;
  for (const calendar of calendarsIn(text)) {
    const zones: ZoneContext = { zone: namedZone(zone), zoneNamed: zonesOf(calendar.zones) };
    for (const series of seriesOf(calendar)) yield { number: (number += 1), series, zones };
  }
}

/** Groups events by UID: a recurring event together with the events that replace some of its occurrences. */
function seriesOf({ components }: CalendarPart): Series[] {
  const byId = new Map<string, Series>();
  const alone: Series[] = [];
  for (const component of components) {
    const id = valueIn(component, 'UID') ?? '';
    const series = byId.get(id);
    if (series) series.push(component);
    else if (id === '') alone.push([component]);
    else byId.set(id, [component]);
  }
  return [...byId.values(), ...alone];
}

type Skip = (component: Component, reason: string) => void;

function timesOf(series: readonly Component[], { zones, window, skip }: { zones: ZoneContext; window: Window; skip: Skip }): Span[] {
  const attempt = <T>(component: Component, work: () => T): T[] => {
    try {
      return [work()];
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      skip(component, error.message);
      return [];
    }
  };
  const events = series.filter(({ name }) => name === 'VEVENT');
  const others = events
    .filter((component) => valueIn(component, 'RECURRENCE-ID') !== undefined)
    .flatMap((component) => attempt(component, () => replacing(component, zones)));
  const spans = others.flatMap(({ event }) =>
    event.isBusy ? attempt(event.component, () => ({ from: instantOf(event.start), until: event.endOf(event.start) })) : [],
  );
  const masters = events.filter((component) => valueIn(component, 'RECURRENCE-ID') === undefined);
  for (const component of masters) {
    const [times] = attempt(component, () => occurrences(eventOf(component, zones), others, { zones, window }));
    for (const error of times?.errors ?? []) skip(component, error);
    spans.push(...(times?.spans ?? []));
  }
  for (const component of series.filter(({ name }) => name === 'VFREEBUSY'))
    for (const property of component.properties)
      if (property.name === 'FREEBUSY' && property.isBusy) spans.push(...attempt(component, () => periodsIn(property, zones)).flat());
  return spans;
}

function replacing(component: Component, zones: ZoneContext): { at: ReturnType<typeof momentOf>; event: Event; isForAllAfter: boolean } {
  const property = component.properties.find(({ name }) => name === 'RECURRENCE-ID');
  const at = momentOf(property?.value ?? '', property?.tzid, zones);
  return { at, event: eventOf(component, zones), isForAllAfter: property?.isForAllAfter === true };
}

function shown(component: Component, reason: string): SkippedEvent {
  const [summary, start] = [valueIn(component, 'SUMMARY'), valueIn(component, 'DTSTART')];
  const short = (text: string) =>
    text
      .replaceAll(/\\(.)/g, '$1')
      .replaceAll(/\p{Cc}/gu, ' ')
      .slice(0, 100)
      .toWellFormed();
  return { reason, ...(summary ? { summary: short(summary) } : {}), ...(start ? { start: short(start).slice(0, 32) } : {}) };
}
