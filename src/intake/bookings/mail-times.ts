import { timeInWords } from '../../platform/time-in-words.ts';

/**
 * The time for whoever reads it: by their own clocks and by those of whoever they meet, where these show another time. The names
 * of zones are those of the time zone database.
 */
export function timeForBoth(at: string, language: string, zones: { own: string; there: string }): string {
  const [own, there] = [zones.own, zones.there].map((zone) => timeInWords(at, language, zone, { weekday: true })) as [string, string];
  const same = offset(at, zones.own) === offset(at, zones.there);
  return same ? `${own} (${zones.own})` : `${own} (${zones.own}) · ${there} (${zones.there})`;
}

const offset = (at: string, zone: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).offsetNanoseconds;
