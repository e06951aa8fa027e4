import process from 'node:process';

/**
 * Resolves at the first stop signal. A closed terminal sends SIGHUP. Without a handler the embedded database would keep running,
 * because it has a separate session.
 */
export function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
  });
}
