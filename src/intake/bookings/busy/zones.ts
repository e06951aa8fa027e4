import windowsZones from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import ICAL from 'ical.js';
import { timeZoneName } from '../../../platform/time-zones.ts';
import type { Component } from './calendar-lines.ts';

/** Converts between local times of a zone and instants in milliseconds. */
export type Zone = { toInstant(plain: Temporal.PlainDateTime): number; toPlain(instant: number): Temporal.PlainDateTime };

/** Thrown if an event cannot be read. The message is for the owner of the calendar. */
export class UnreadableEvent extends Error {}

/** Windows zone names mapped to IANA zones, from CLDR for the whole world (territory 001). */
const ofWindows: ReadonlyMap<string, string> = new Map(
  windowsZones.supplemental.windowsZones.mapTimezones
    .filter(({ mapZone }) => mapZone._territory === '001')
    .map(({ mapZone }) => [mapZone._other.toLowerCase(), mapZone._type]),
);

export const namedZone = (name: string): Zone => ({
  toInstant: (plain) => plain.toZonedDateTime(name).epochMilliseconds,
  toPlain: (instant) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(name).toPlainDateTime(),
});

/**
 * Returns a lookup of zones by the names in one calendar. Searches the IANA database first, also without a vendor prefix, then Windows
 * names, then the zones that the calendar defines. Throws an error for any other name.
 */
export function zonesOf(described: readonly Component[]): (tzid: string) => Zone {
  const known = new Map<string, Zone>();
  const texts = new Map(described.flatMap(({ text }) => idsIn(text).map((id) => [id, text.join('\r\n')] as const)));
  return (tzid) => {
    const zone = known.get(tzid) ?? zoneOf(tzid, texts.get(tzid));
    if (!zone) throw new UnreadableEvent(`names the time zone “${tzid.slice(0, 64)}”, which is unknown`);
    known.set(tzid, zone);
    return zone;
  };
}

const idsIn = (lines: readonly string[]): string[] => lines.flatMap((line) => /^TZID(?:;[^:]*)?:(.*?)\s*$/i.exec(line)?.slice(1) ?? []);

function zoneOf(tzid: string, description: string | undefined): Zone | undefined {
  const name = standardName(tzid.trim());
  if (name !== undefined) return namedZone(name);
  return description === undefined ? undefined : describedZone(description);
}

function standardName(tzid: string): string | undefined {
  const windows = ofWindows.get(tzid.toLowerCase());
  if (windows !== undefined) return timeZoneName(windows);
  if (!tzid.startsWith('/')) return timeZoneName(tzid);
  // Example: `/mozilla.org/20050126_1/Europe/Berlin`.
  const parts = tzid.split('/').slice(1, 8);
  return parts.map((_, at) => timeZoneName(parts.slice(at).join('/'))).find((name) => name !== undefined);
}

/** Returns a zone from its definition in the file. Outlook writes such definitions for customised zones. */
function describedZone(text: string): Zone | undefined {
  try {
    const zone = new ICAL.Timezone(new ICAL.Component(ICAL.parse(text)));
    const offsetMs = ({ year, month, day, hour, minute, second }: Temporal.PlainDateTime) =>
      zone.utcOffset(ICAL.Time.fromData({ year, month, day, hour, minute, second })) * 1_000;
    const asUtc = (plain: Temporal.PlainDateTime) => plain.toZonedDateTime('UTC').epochMilliseconds;
    const utc = namedZone('UTC');
    return {
      toInstant: (plain) => asUtc(plain) - offsetMs(plain),
      toPlain: (instant) => utc.toPlain(instant + offsetMs(utc.toPlain(instant))),
    };
  } catch {
    return undefined;
  }
}
