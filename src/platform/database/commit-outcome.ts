import { setTimeout as sleep } from 'node:timers/promises';
import { type Backend, endBackend } from './backend.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Exchanges } from './exchanges/exchanges.ts';

/** A statement that returns a row if and only if the transaction committed. The row never changes and is never deleted. */
export type Trace = { name: string; text: string; values: unknown[] };

const askForMs = 6_000;
const pauseMs = 200;
const askLimitMs = 3_000;

export type Lost = { backend: Backend | undefined; trace: Trace | undefined; role: string; team: string };

/**
 * Determines whether a transaction committed if its connection was lost after COMMIT was sent. It first terminates the server process. After that,
 * the row of the trace either exists or will never exist.
 */
export async function askOutcome(
  exchanges: Pick<Exchanges, 'runAfterwards'>,
  { backend, trace, role, team }: Lost,
): Promise<'committed' | 'undone' | 'unknown'> {
  if (!backend || !trace) return 'unknown';
  const system = { role: 'none', team: '', limitMs: askLimitMs };
  const ending = { name: endBackend.name, text: endBackend.text, values: endBackend.values(backend) };
  for (const until = performance.now() + askForMs; performance.now() < until; await sleep(pauseMs)) {
    try {
      const { rows } = await exchanges.runAfterwards(ending, system);
      if (rows.some(({ ended }) => ended !== true)) continue;
      return (await exchanges.runAfterwards(trace, { role, team, limitMs: askLimitMs })).rows.length > 0 ? 'committed' : 'undone';
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return 'unknown';
    }
  }
  return 'unknown';
}
