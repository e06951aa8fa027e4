import { RRuleTemporal } from 'rrule-temporal';
import type { Span } from '../availability/index.ts';
import { type Event, instantOf, type Moment, momentOf, momentsIn, periodsIn, type ZoneContext } from './events.ts';
import type { Property } from './calendar-lines.ts';
import { UnreadableEvent, type Zone } from './zones.ts';

/** A time window. A rule with more than `most` occurrences is rejected. */
export type Window = { from: number; until: number; most: number };

export const tooMany = (most: number): string => `has more than ${most} events in the booking period`;

const dayMs = 86_400_000;
/** An upper bound for the UTC offset of a zone, in milliseconds. */
const furthest = dayMs;
/** The maximum number of steps for one rule. The thread also has a limit of CPU time. */
const maxSteps = 5_000_000;

/**
 * Returns the occurrences of an event within a window, and the errors of its recurrence. If part of the recurrence cannot be read, the
 * rest is still returned. `others` are events that replace occurrences.
 */
export function occurrences(
  event: Event,
  others: readonly { at: Moment; event: Event; isForAllAfter: boolean }[],
  { zones, window }: { zones: ZoneContext; window: Window },
): { spans: Span[]; errors: string[] } {
  const { component, start } = event;
  const errors: string[] = [];
  const attempt = <T>(work: () => T[]): T[] => {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof UnreadableEvent)) throw error;
      errors.push(error.message);
      return [];
    }
  };
  const of = (name: string) => component.properties.filter((one) => one.name === name);
  const length = Math.max(0, event.endOf(start) - instantOf(start));
  const wide = { ...window, from: window.from - length };
  const moments = [
    start,
    ...of('RRULE').flatMap(({ value }) => attempt(() => repeated(start, value, wide))),
    ...of('RDATE').flatMap((property) =>
      attempt(() => momentsIn({ ...component, properties: [withoutPeriods(property)] }, 'RDATE', zones)),
    ),
  ];
  const periods = of('RDATE').flatMap((property) => attempt(() => periodsIn(property, zones)));
  const left = attempt(() => momentsIn(component, 'EXDATE', zones));
  const isLeftOut = matcher([...left, ...others.filter(({ isForAllAfter }) => !isForAllAfter).map(({ at }) => at)], start.zone);
  const changes = others
    .filter(({ isForAllAfter }) => isForAllAfter)
    .map((one) => ({ ...one, from: instantOf(one.at) }))
    .toSorted((a, b) => b.from - a.from);
  const spans = new Map<number, Span>();
  for (const moment of moments) {
    const from = instantOf(moment);
    if (spans.has(from) || isLeftOut(from)) continue;
    const change = changes.find((one) => one.from <= from);
    const moved = change && shifted(moment, change);
    const current = moved?.event ?? event;
    const at = moved?.moment ?? moment;
    if (current.isBusy) spans.set(from, { from: instantOf(at), until: current.endOf(at) });
  }
  const added = event.isBusy ? periods.filter(({ from }) => !isLeftOut(from)) : [];
  return { spans: [...spans.values(), ...added], errors };
}

/** Applies an event that replaces all later occurrences to one occurrence. */
function shifted(moment: Moment, { at, event }: { at: Moment; event: Event }): { moment: Moment; event: Event } {
  const by = at.plain.until(event.start.plain);
  return { moment: { ...moment, plain: moment.plain.add(by) }, event };
}

const withoutPeriods = (property: Property): Property => ({
  ...property,
  value: property.value
    .split(',')
    .filter((one) => !one.includes('/'))
    .join(','),
});

/** Returns a test for an occurrence: at one of these instants, or on one of these days. */
function matcher(moments: readonly Moment[], zone: Zone): (instant: number) => boolean {
  const instants = new Set(moments.map(instantOf));
  const days = new Set(moments.filter(({ isDay }) => isDay).map(({ plain }) => plain.toPlainDate().toString()));
  return (instant) => instants.has(instant) || (days.size > 0 && days.has(zone.toPlain(instant).toPlainDate().toString()));
}

/** Expands a recurrence rule within a window, in local time of the zone. Recurrence rules work with local times only. */
function repeated(start: Moment, given: string, { from, until, most }: Window): Moment[] {
  const parts = given.split(';').filter((part) => part.trim() !== '' && !/^\s*UNTIL=/i.test(part));
  const last = lastOf(start, given);
  const text = `DTSTART:${compact(start.plain)}\nRRULE:${parts.join(';')}${last ? `;UNTIL=${compact(last)}` : ''}`;
  try {
    const options = { rruleString: text, tzid: 'UTC', maxIterations: maxSteps, maxCandidateEvaluations: maxSteps };
    const rule = new RRuleTemporal(options);
    const end = until + furthest;
    // A rule with a count is expanded from its first occurrence each time.
    const sliceMs = /[;:]\s*COUNT=/i.test(text) || !oftenADay.test(text) ? Infinity : 4 * dayMs;
    const found = new Set<number>();
    for (let low = from - furthest; low < end; low += sliceMs) {
      if (found.size > most) throw new UnreadableEvent(tooMany(most));
      for (const { epochMilliseconds } of rule.between(asZoned(low), asZoned(Math.min(low + sliceMs, end)), true))
        found.add(epochMilliseconds);
    }
    return [...found]
      .map((instant) => asZoned(instant).toPlainDateTime())
      .filter((plain) => !last || Temporal.PlainDateTime.compare(plain, last) <= 0)
      .map((plain) => ({ ...start, plain }));
  } catch (error) {
    if (error instanceof UnreadableEvent) throw error;
    throw new UnreadableEvent('repeats by a rule that cannot be read', { cause: error });
  }
}

const oftenADay = /FREQ=(?:SECONDLY|MINUTELY|HOURLY)/i;

const asZoned = (epochMs: number) => Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO('UTC');

const compact = (plain: Temporal.PlainDateTime): string => `${plain.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '')}Z`;

/** Returns the last local time of a rule. A date without a time means the end of that day. */
function lastOf(start: Moment, rule: string): Temporal.PlainDateTime | undefined {
  const text = /(?:^|;)\s*UNTIL=([^;]*)/i.exec(rule)?.[1];
  if (text === undefined) return undefined;
  const { plain, isDay } = momentOf(text, undefined, { zone: start.zone, zoneNamed: () => start.zone });
  if (isDay) return plain.with({ hour: 23, minute: 59, second: 59 });
  return /Z\s*$/i.test(text) ? start.zone.toPlain(plain.toZonedDateTime('UTC').epochMilliseconds) : plain;
}
