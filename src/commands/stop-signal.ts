import process from 'node:process';

/**
 * Resolves at the first request to stop. SIGHUP is one: a terminal that is closed sends it, and an embedded database, which is in a session of its
 * own, would go on for good.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });
}
