import { setTimeout as sleep } from 'node:timers/promises';
import { awaitStandby, type Backend, endBackend } from './backend.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Exchanges } from './exchanges/exchanges.ts';

/** A statement that returns a row if and only if the transaction committed. The row never changes and is never deleted. */
export type Trace = { name: string; text: string; values: unknown[] };

const askForMs = 6_000;
const pauseMs = 200;
const askLimitMs = 3_000;
const lookAgainMs = 2_000;

export type Lost = { backend: Backend | undefined; trace: Trace | undefined; role: string; team: string };

type OutcomeExchanges = Pick<Exchanges, 'runAfterwards'>;
const system = { role: 'none', team: '', limitMs: askLimitMs };

/** Terminates the server process. Returns whether it has ended. */
async function hasEnded(exchanges: OutcomeExchanges, backend: Backend): Promise<boolean> {
  const ending = { name: endBackend.name, text: endBackend.text, values: endBackend.values(backend) };
  const { rows } = await exchanges.runAfterwards(ending, system);
  return rows.every(({ ended }) => ended === true);
}

/**
 * Determines whether a transaction committed if its connection was lost after COMMIT was sent. It first terminates the server process. After that, the
 * row that proves the commit (`trace`) either exists or will never exist. The change counts as committed only after a synchronous standby has it.
 */
export async function askOutcome(
  exchanges: OutcomeExchanges,
  { backend, trace, role, team }: Lost,
): Promise<'committed' | 'undone' | 'unknown'> {
  if (!backend || !trace) return 'unknown';
  const replicated = { name: awaitStandby.name, text: awaitStandby.text };
  for (const until = performance.now() + askForMs; performance.now() < until; await sleep(pauseMs)) {
    try {
      if (!(await hasEnded(exchanges, backend))) continue;
      await exchanges.runAfterwards(replicated, system);
      return (await exchanges.runAfterwards(trace, { role, team, limitMs: askLimitMs })).rows.length > 0 ? 'committed' : 'undone';
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return 'unknown';
    }
  }
  return 'unknown';
}

/** Resolves after the server process has ended, or at the first error. */
export async function untilEnded(exchanges: OutcomeExchanges, backend: Backend): Promise<void> {
  const look = () => hasEnded(exchanges, backend).catch(() => true);
  while (!(await look())) await sleep(lookAgainMs, undefined, { ref: false });
}
