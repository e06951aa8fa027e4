import { sqlStatement } from './statement.ts';
import type { Reader } from './transaction.ts';

/** The time of day by the clock of the database, which all nodes share: a node whose own clock is off goes by it too. */
export type DatabaseClock = {
  /** Unix milliseconds. Until it was measured, by this machine's clock. */
  now(): number;
  /** Asks the database for its time. Rejects when it does not answer; what was measured before then stays. */
  measure(): Promise<void>;
};

const askTime = sqlStatement<Record<string, never>, { ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');

/** Of several answers the quickest tells the time best. */
const sampleCount = 3;
/** Times of this machine come in whole milliseconds. */
const roundedMs = 2;
/** A jump of this machine's clock beside its steady one: it was set, or the machine was suspended. */
const jumpMs = 1_000;

/** By `own`, Unix milliseconds, and `steady`, milliseconds that nobody sets. */
export function createDatabaseClock(reader: Reader, own = () => Date.now(), steady = () => performance.now()): DatabaseClock {
  let offset = 0;
  let expected = own() - steady();
  /** How far this machine's clock was set since it was measured, in all. */
  let set = 0;
  let measuring: Promise<void> | undefined;

  /**
   * Between which two offsets the true one is: the database's time lies somewhere on the way there and back. `lead`: how far this machine's
   * clock was before the steady one meanwhile.
   */
  async function ask(): Promise<{ least: number; most: number; doubt: number; drift: number }> {
    const [before, sent] = [own(), steady()];
    const ms = (await reader.first(askTime, {}))?.ms ?? before;
    const [after, took] = [own(), steady() - sent];
    // Set in between, this machine's clock says nothing.
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
    // What may be right is kept: time does not jitter from one measurement to the next.
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
        // Once a jump: while the database is away the time goes on by what is known.
        expected += jump;
        set += jump;
        measure().catch(() => undefined);
      }
      // Forward it may have been asleep. Backward no time goes: what was issued a moment ago is not of the future until the database has told.
      return time + offset - Math.min(0, set);
    },
    measure,
  };
}

/** Measures now, and then every minute. Returns what stops it. */
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
