import { RRuleTemporal } from 'rrule-temporal';
import type { Span } from '../availability/index.ts';
import { type Event, instantOf, type Moment, momentOf, momentsIn, periodsIn, type ZoneContext } from './events.ts';
import type { Property } from './calendar-lines.ts';
import { UnreadableEvent, type Zone } from './zones.ts';

/** `most`: a rule with more occurrences is rejected. */
export type Window = { from: number; until: number; most: number };

export const tooMany = (most: number): string => `has more than ${most} events in the booking period`;

const dayMs = 86_400_000;
/** Clocks of a zone differ from UTC by less. */
const furthest = dayMs;
/** Steps of one rule. The thread has a limit of CPU time besides. */
const maxSteps = 5_000_000;

/**
 * The occurrences of an event within a window, and the errors of its repetition. If part of it cannot be read, the rest counts. `others`
 * are events that replace occurrences.
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

/** Applies an event that changes all later occurrences to one of them. */
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

/** Whether an occurrence is one of these: at the same instant in any zone, or on a day that is named. */
function matcher(moments: readonly Moment[], zone: Zone): (instant: number) => boolean {
  const instants = new Set(moments.map(instantOf));
  const days = new Set(moments.filter(({ isDay }) => isDay).map(({ plain }) => plain.toPlainDate().toString()));
  return (instant) => instants.has(instant) || (days.size > 0 && days.has(zone.toPlain(instant).toPlainDate().toString()));
}

/** The moments of a rule within a window, as the clocks of the zone show them: the rule knows no other time. */
function repeated(start: Moment, given: string, { from, until, most }: Window): Moment[] {
  const parts = given.split(';').filter((part) => part.trim() !== '' && !/^\s*UNTIL=/i.test(part));
  const last = lastOf(start, given);
  const text = `DTSTART:${compact(start.plain)}\nRRULE:${parts.join(';')}${last ? `;UNTIL=${compact(last)}` : ''}`;
  try {
    const options = { rruleString: text, tzid: 'UTC', maxIterations: maxSteps, maxCandidateEvaluations: maxSteps };
    const rule = new RRuleTemporal(options);
    const end = until + furthest;
    // A rule with a count is expanded from its beginning each time.
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

/** The last moment of a rule by the clocks of its zone. A day is meant with its whole time. */
function lastOf(start: Moment, rule: string): Temporal.PlainDateTime | undefined {
  const text = /(?:^|;)\s*UNTIL=([^;]*)/i.exec(rule)?.[1];
  if (text === undefined) return undefined;
  const { plain, isDay } = momentOf(text, undefined, { zone: start.zone, zoneNamed: () => start.zone });
  if (isDay) return plain.with({ hour: 23, minute: 59, second: 59 });
  return /Z\s*$/i.test(text) ? start.zone.toPlain(plain.toZonedDateTime('UTC').epochMilliseconds) : plain;
}
