import { timeInWords } from '../../platform/time-in-words.ts';

/**
 * Formats a time in the zone of the reader, and in the zone of the other party if its offset differs. Zone names are those of the IANA
 * database.
 */
export function timeForBoth(at: string, language: string, zones: { own: string; there: string }): string {
  const [own, there] = [zones.own, zones.there].map((zone) => timeInWords(at, language, zone, { weekday: true })) as [string, string];
  const same = offset(at, zones.own) === offset(at, zones.there);
  return same ? `${own} (${zones.own})` : `${own} (${zones.own}) · ${there} (${zones.there})`;
}

const offset = (at: string, zone: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).offsetNanoseconds;
