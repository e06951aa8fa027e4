import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Backend, endBackend } from './backend.ts';
import { isDatabaseUnavailable } from './errors.ts';
import type { Lines } from './shared-readers.ts';
import { TeamExchange } from './team-exchange.ts';

/** A statement that finds a row exactly when the transaction that made it was committed; nobody changes or removes the row. */
export type Trace = { name: string; text: string; values: unknown[] };

const askForMs = 6_000;
const pauseMs = 200;
const askLimitMs = 3_000;

const inEnglish = new Set(['ERROR', 'FATAL', 'PANIC']);
/** Of statements alone: data, integrity, serialisation, syntax, what is in use, a time limit, and our own; none ends a connection. */
const ofStatements = /^(2[0-4679BDF]|25P02|40|42|44|55|57014|P0|QX|CR)/;

/**
 * True of an error after which nothing of the transaction is left: the database has answered. It says in its own language how
 * severe an error is (`lc_messages`); where that is not English, the code tells.
 */
export function wasUndone(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { severity = '', code = '' } = error;
  return inEnglish.has(severity) ? severity === 'ERROR' : ofStatements.test(code);
}

export type Lost = { backend: Backend | undefined; trace: Trace | undefined; role: string; team: string };

/**
 * Finds out what became of a transaction whose connection was lost after it was told to commit: once its server process has
 * ended, what it left behind is there or will never be.
 */
export async function askOutcome(lines: Lines, { backend, trace, role, team }: Lost): Promise<'committed' | 'undone' | 'unknown'> {
  if (!backend || !trace) return 'unknown';
  const ask = (as: { role: string; team: string }, config: Trace) =>
    lines.exchange((answered) => new TeamExchange(config, { ...as, limitMs: askLimitMs }, answered));
  const asItself = { role: 'none', team: '' };
  for (const until = performance.now() + askForMs; performance.now() < until; await sleep(pauseMs)) {
    try {
      const still = await ask(asItself, { ...endBackend, values: endBackend.values(backend) });
      if (still.rows.some(({ ended }) => ended !== true)) continue;
      return (await ask({ role, team }, trace)).rows.length > 0 ? 'committed' : 'undone';
    } catch (error) {
      if (!isDatabaseUnavailable(error)) return 'unknown';
    }
  }
  return 'unknown';
}
