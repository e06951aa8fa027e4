import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDatabaseUnavailable } from './errors.ts';
import type { Lines } from './shared-readers.ts';
import { sqlStatement } from './statement.ts';
import { TeamExchange } from './team-exchange.ts';

/** The connection was lost after the database was told to commit, and what became of that could not be found out. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('whether the transaction was committed is not known', { cause });
  }
}

/** A statement that finds a row exactly when the transaction that made it was committed; nobody changes or removes the row. */
export type Trace = { name: string; text: string; values: unknown[] };

/** A server process, told from another that gets its number later. */
export type Backend = { pid: number; since: string };

/** What a connection asks of itself when it is opened. */
export const whoServes = sqlStatement<object, Backend>(
  'SELECT pid, backend_start::text AS since FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  { since: 'whoever asks this is being served' },
);

/**
 * Ends a server process, whose client is gone: no row, or true, once it has ended. Until then it holds its locks and may still
 * commit.
 */
const endBackend = sqlStatement<Backend, { ended: boolean }>(
  'SELECT pg_terminate_backend(pid, 2000) AS ended FROM pg_stat_activity WHERE pid = $pid AND backend_start = $since::timestamptz',
);

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
