import { sqlStatement } from './statement.ts';
import type { Reader } from './database.ts';

/** The time of day by the clock of the database, which all nodes share: a node whose own clock is off goes by it too. */
export type DatabaseClock = {
  /** Unix milliseconds. Until it was measured, by this machine's clock. */
  now(): number;
  /** Asks the database for its time. Rejects when it does not answer; what was measured before then stays. */
  measure(): Promise<void>;
};

const askTime = sqlStatement<Record<string, never>, { ms: number }>('SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms');

/** Of several answers the quickest tells the time best. */
const askedTimes = 3;
/** A jump of this machine's clock beside its steady one: it was set, or the machine was suspended. */
const jumpMs = 1_000;

/** By `own`, Unix milliseconds, and `steady`, milliseconds that nobody sets. */
export function createDatabaseClock(reader: Reader, own = () => Date.now(), steady = () => performance.now()): DatabaseClock {
  let offset = 0;
  let expected = own() - steady();
  let measuring: Promise<void> | undefined;

  async function ask(): Promise<{ doubt: number; off: number }> {
    const [before, sent] = [own(), steady()];
    const ms = (await reader.first(askTime, {}))?.ms ?? before;
    const doubt = (steady() - sent) / 2;
    return { doubt, off: ms - (before + doubt) };
  }

  async function measureOnce(): Promise<void> {
    expected = own() - steady();
    let best = await ask();
    for (let more = 1; more < askedTimes; more += 1) {
      const next = await ask();
      if (next.doubt < best.doubt) best = next;
    }
    // Within what the way there and back leaves in doubt nothing is corrected: time does not jitter from one measurement to the next.
    if (Math.abs(best.off - offset) > best.doubt + 1) offset = best.off;
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
      if (!measuring && Math.abs(time - steady() - expected) > jumpMs) {
        // Once a jump: while the database is away the time goes on by what is known.
        expected = time - steady();
        measure().catch(() => undefined);
      }
      return time + offset;
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
