const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;

/** Waits in milliseconds after failed attempt 1, 2, …: min(24 h, 5 s · 4^(k-1)), about 54 hours in total. */
export const defaultSchedule: readonly number[] = Array.from({ length: 9 }, (_, index) => Math.min(day, 5 * second * 4 ** index));

const units: Record<string, number> = { ms: 1, s: second, m: 60 * second, h: hour, d: day };
const maxWaits = 50;

/**
 * Parses a list of waits such as `5s,5m,1.5h` to milliseconds. The units are ms, s, m, h and d; a number without a unit is seconds. Throws an error
 * without the name of the setting if the text is invalid.
 */
export function parseSchedule(text: string): number[] {
  const waits = text.split(',').map((part) => {
    const [, amount = '', unit = 's'] = /^\s*(\d{1,9}(?:\.\d{1,3})?)\s*(ms|s|m|h|d)?\s*$/.exec(part) ?? [];
    return amount === '' ? Number.NaN : Number(amount) * (units[unit] ?? Number.NaN);
  });
  if (waits.length > maxWaits || waits.some((wait) => !(wait >= 1 && wait <= 30 * day))) {
    throw new Error(`must be 1 to ${maxWaits} waits from 1ms to 30d, such as 5s,5m,1h`);
  }
  return waits;
}

export type NextAttempt = {
  /** The number of the failed attempt, from 1. */
  attempt: number;
  /** Milliseconds; by default the exponential schedule, with its longer wait for overloaded receivers. */
  schedule?: readonly number[];
  /** The `Retry-After` of the receiver. */
  retryAfterSeconds?: number;
  failure: { responseStatus?: number; error?: string };
  /** From 0 up to 1. */
  random: () => number;
};

const overloaded = new Set([429, 502, 504]);
const overloadWait = 60 * second;

/**
 * Returns the milliseconds until the next attempt: those of the schedule, or longer if the receiver requests it (at most a day) or is overloaded.
 * Adds up to 20 % at random, so that simultaneous failures are not retried simultaneously. Never earlier than the schedule.
 */
export function nextAttemptDelay({ attempt, schedule, retryAfterSeconds = 0, failure, random }: NextAttempt): number {
  const waits = schedule ?? defaultSchedule;
  const scheduled = waits[Math.min(attempt, waits.length) - 1] ?? overloadWait;
  const isOverload = failure.error === 'timeout' || overloaded.has(failure.responseStatus ?? 0);
  const least = isOverload && schedule === undefined ? overloadWait : 0;
  const requestedMs = Math.min(day, Math.max(0, retryAfterSeconds) * second);
  return Math.max(scheduled, least, requestedMs) * (1 + 0.2 * random());
}
