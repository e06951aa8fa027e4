import { LRUCache } from 'lru-cache';

/** Cached formatters, because creating one takes longer than a thousand uses. */
const formatters = new LRUCache<string, Intl.DateTimeFormat>({ max: 500 });

/** Formats a time in a language with the name of its time zone. Mails and pages format all times with it. */
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
