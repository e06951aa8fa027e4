const failuresInARow = 5;
const shortestMs = 10_000;
const longestMs = 300_000;

/** Whether a provider is asked, by how its last answers were. */
export type Breaker = {
  /** False while it is left alone. After each pause one question is let through, which decides. */
  mayAsk(): boolean;
  answered(): void;
  /** Tells whether it is left alone from now on. */
  failed(): boolean;
};

/** Leaves a provider alone for ten seconds after five failures in a row, and for twice as long each time it fails again, up to five minutes. */
export function createBreaker(now: () => number = () => performance.now()): Breaker {
  let failures = 0;
  let pauseMs = shortestMs;
  let closedUntil = 0;
  let trying = false;
  return {
    mayAsk() {
      if (failures < failuresInARow) return true;
      if (trying || now() < closedUntil) return false;
      trying = true;
      return true;
    },
    answered() {
      failures = 0;
      pauseMs = shortestMs;
      trying = false;
    },
    failed() {
      failures += 1;
      if (failures < failuresInARow) return false;
      // Of several that were under way when it broke, one sets the pause.
      if (failures > failuresInARow && !trying) return false;
      if (trying) pauseMs = Math.min(longestMs, pauseMs * 2);
      trying = false;
      closedUntil = now() + pauseMs;
      return true;
    },
  };
}
