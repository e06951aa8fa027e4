import { sqlStatement } from './statement.ts';
import type { Reader } from './transaction.ts';

/** The time of the database, which all nodes use, so that a wrong clock of one node has no effect. */
export type DatabaseClock = {
  /** Unix milliseconds. Before the first measurement, this is the clock of this machine. */
  now(): number;
  /** Measures the offset to the database. Rejects if the database does not respond, and keeps the previous offset. */
  measure(): Promise<void>;
};

const askTime = sqlStatement<Record<string, never>, { ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');

/** Number of measurements. The one with the fastest response is the most exact. */
const sampleCount = 3;
/** The clock of this machine has a resolution of one millisecond. */
const roundedMs = 2;
/**
 * Maximum normal difference between the wall clock and the monotonic clock. A larger one means that the clock was set or the machine was suspended.
 */
const jumpMs = 1_000;

/** Creates a database clock. `own` returns Unix milliseconds; `steady` returns milliseconds of a monotonic clock. */
export function createDatabaseClock(reader: Reader, own = () => Date.now(), steady = () => performance.now()): DatabaseClock {
  let offset = 0;
  let expected = own() - steady();
  /** Total change of the wall clock since the last measurement. */
  let set = 0;
  let measuring: Promise<void> | undefined;

  /**
   * Measures the offset once. The database reads its clock between the request and the response, so `doubt`, the duration of the exchange, bounds the
   * error. `drift` is the difference between the wall clock and the monotonic clock.
   */
  async function ask(): Promise<{ least: number; most: number; doubt: number; drift: number }> {
    const [before, sent] = [own(), steady()];
    const ms = (await reader.first(askTime, {}))?.ms ?? before;
    const [after, took] = [own(), steady() - sent];
    // If the wall clock was set during the measurement, the sample is worthless.
    const doubt = Math.abs(after - before - took) > jumpMs ? Number.POSITIVE_INFINITY : after - before;
    return { least: ms - after - roundedMs, most: ms - before + roundedMs, doubt, drift: before - sent };
  }

  async function measureOnce(): Promise<void> {
    let best = await ask();
    for (let more = 1; more < sampleCount; more += 1) {
      const next = await ask();
      if (next.doubt < best.doubt) best = next;
    }
    [expected, set] = [best.drift, 0];
    // An offset within the bounds stays, so that the time does not jitter between measurements.
    if (offset < best.least || offset > best.most) offset = (best.least + best.most) / 2;
  }

  function measure(): Promise<void> {
    measuring ??= measureOnce().finally(() => {
      measuring = undefined;
    });
    return measuring;
  }

  return {
    now() {
      const time = own();
      const jump = time - steady() - expected;
      if (!measuring && Math.abs(jump) > jumpMs) {
        // Once per jump. If the database is unavailable, the clock continues with the known offset.
        expected += jump;
        set += jump;
        measure().catch(() => undefined);
      }
      // A forward jump can be a suspended machine, so it counts. A backward jump does not count until the next measurement; otherwise recent
      // tokens would be issued in the future.
      return time + offset - Math.min(0, set);
    },
    measure,
  };
}

/** Measures immediately and then every minute. Returns a function that stops it. `notice` receives an offset of more than one second. */
export async function followClock(clock: DatabaseClock, notice: (offMs: number) => void): Promise<() => void> {
  const look = async (): Promise<void> => {
    await clock.measure();
    const off = clock.now() - Date.now();
    if (Math.abs(off) > jumpMs) notice(Math.round(off));
  };
  await look();
  const timer = setInterval(() => void look().catch(() => undefined), 60_000);
  timer.unref();
  return () => clearInterval(timer);
}
