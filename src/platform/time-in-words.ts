import { LRUCache } from 'lru-cache';

/** A formatter takes longer to make than to use a thousand times. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Writes a time in a language, with the name of its time zone. Every time in a mail and on a page is written by it. */
export function timeInWords(at: string | Date, language: string, timeZone: string, { weekday = false } = {}): string {
  const key = `${language} ${timeZone} ${weekday}`;
  const format =
    formatters.get(key) ??
    new Intl.DateTimeFormat(language, {
      timeZone,
      ...(weekday ? { weekday: 'long' } : {}),
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
