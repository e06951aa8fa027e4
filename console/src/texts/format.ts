import { createContext, useContext } from 'react';
import { languages, useLanguage } from './language.ts';

/** The time zone of the person, from the profile. */
export const TimeZone = createContext(Intl.DateTimeFormat().resolvedOptions().timeZone);

const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const sizes: readonly [unit: string, bytes: number][] = [
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
];
const week = 7 * 86_400;

/** Dates and times in the language and time zone of the person. */
export type Format = {
  /** A date, such as 7 Dec 2026. */
  date(time: string | Date): string;
  /** A day without a time, such as `2026-12-07`, which is the same in all zones. */
  day(day: string): string;
  /** A date and time with the zone. Use it where a deadline has legal effect. */
  exact(time: string | Date): string;
  /** `3 hours ago` within a week, else the date. */
  relative(time: string | Date): string;
  /** A duration, rounded up, such as 24 hours. */
  duration(seconds: number): string;
  /** The size of a file, such as 1.4 MB. */
  size(bytes: number): string;
};

export function useFormat(): Format {
  const { locale } = languages[useLanguage()];
  const timeZone = useContext(TimeZone);
  const format = (options: Intl.DateTimeFormatOptions) => (time: string | Date) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(new Date(time));
  const date = format({ dateStyle: 'medium' });
  return {
    date,
    day: (day) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', dateStyle: 'medium' }).format(new Date(`${day}T00:00:00Z`)),
    exact: format({ day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' }),
    relative(time) {
      const seconds = (new Date(time).getTime() - Date.now()) / 1_000;
      if (Math.abs(seconds) >= week) return date(time);
      const [unit, size] = steps.find(([, one]) => Math.abs(seconds) >= one) ?? ['second', 1];
      const count = unit === 'second' ? 0 : Math.trunc(seconds / size);
      return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(count, unit);
    },
    duration(seconds) {
      const [unit, size] = steps.find(([, one]) => seconds >= 2 * one) ?? ['second', 1];
      return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Math.ceil(seconds / size));
    },
    size(bytes) {
      const [unit, size] = sizes.find(([, one]) => bytes >= one) ?? ['byte', 1];
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: 1,
      }).format(bytes / size);
    },
  };
}
