import { LRUCache } from 'lru-cache';

/** Making one takes longer than writing a thousand times with it. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** A time in words of a language, by the clocks of a zone, which is named. */
export function timeInWords(at: string, language: string, timeZone: string): string {
  const key = `${language} ${timeZone}`;
  const format =
    formatters.get(key) ??
    new Intl.DateTimeFormat(language, {
      timeZone,
      weekday: 'long',
      year: 'numeric',
      month: 'long',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZoneName: 'short',
    });
  formatters.set(key, format);
  return format.format(new Date(at));
}

/**
 * The time for whoever reads it: by their own clocks and by those of whoever they meet, where these show another time. The names
 * of zones are those of the time zone database.
 */
export function timeForBoth(at: string, language: string, zones: { own: string; there: string }): string {
  const [own, there] = [timeInWords(at, language, zones.own), timeInWords(at, language, zones.there)];
  const same = offset(at, zones.own) === offset(at, zones.there);
  return same ? `${own} (${zones.own})` : `${own} (${zones.own}) · ${there} (${zones.there})`;
}

const offset = (at: string, zone: string) => Temporal.Instant.from(at).toZonedDateTimeISO(zone).offsetNanoseconds;
