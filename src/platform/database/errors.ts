import { DatabaseError } from 'pg';
import { type Problem, problems } from '../problems.ts';

/** The connection was lost after the database was told to commit, and what became of that could not be found out. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('whether the transaction was committed is not known', { cause });
  }
}

/** A server that this service cannot work with, such as a standby. The message says what to do. */
export class UnsuitableServer extends Error {}

/** True when the database refused a row because of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.constraint === constraint;
}

/** The SQLSTATE of a database error, such as `23505`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The detail of a database error of this SQLSTATE. */
export function sqlDetail(error: unknown, state: string): string | undefined {
  return error instanceof DatabaseError && error.code === state ? error.detail : undefined;
}

const inEnglish = new Set(['ERROR', 'FATAL', 'PANIC']);
/** Of statements alone: data, integrity, serialisation, syntax, what is in use, a time limit, and our own; none ends a connection. */
const ofStatements = /^(2[0-4679BDF]|25P02|40|42|44|55|57014|P0|QX|CR)/;

/**
 * True of an error after which nothing of the transaction is left: the database has answered. It says in its own language how
 * severe an error is (`lc_messages`); where that is not English, the code tells.
 */
export function wasUndone(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { severity = '', code = '' } = error;
  return inEnglish.has(severity) ? severity === 'ERROR' : ofStatements.test(code);
}

/** PostgreSQL's lock_not_available: what was to be locked is held by another for longer than is waited. */
export const lockNotAvailable = '55P03';

// PostgreSQL's invalid_sql_statement_name and duplicate_prepared_statement.
const unprepared = new Set(['26000', '42P05']);

/**
 * True when a statement was not run since what shares the connection stood in the way of preparing it: the first of several
 * failed at that, or two of those that were sent again did it both. It may be sent again.
 */
export function wasNotPrepared(error: unknown): boolean {
  return unprepared.has(sqlState(error) ?? '');
}

const socketErrors = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECANCELED',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EMFILE',
  'ENETDOWN',
  'ENETRESET',
  'ENETUNREACH',
  'ENFILE',
  'ENOBUFS',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Files have these too: of a socket they are where connecting fails. */
const ofFilesToo = new Set(['EMFILE', 'ENFILE', 'ENOENT']);
// Classes of SQLSTATE that say "not now": connection exceptions, a database that lets nobody in or is not there (it is being
// put back, or its password renewed), insufficient resources, operator intervention, the two serialisation failures, after which
// the same request may be sent again, a server that only reads, transactions that were ended for their age, and a statement that
// another was to prepare.
const passingStates = /^(08|28|3D000|53|57P|40001|40P01|25006|25P03|25P04|26000|42P05)/;

/** What the driver says of a connection without a code. */
const lost =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|^timeout expired$|Client was closed|establishing an SSL connection/i;

/** True when the database could not be reached or could not serve now, and the same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown || error instanceof UnsuitableServer) return true;
  if (error instanceof DatabaseError) return error.severity === 'FATAL' || passingStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (socketErrors.has(code)) return !ofFilesToo.has(code) || ('syscall' in error && error.syscall === 'connect');
  return lost.test(error.message);
}

const diskFull = '53100';

/** True when the database ended a statement because it took longer than it may. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

// A text with the character U+0000, half of a surrogate pair, a number, time or offset out of range: nothing the database can keep.
const unkeepable = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008', '22009']);

/** What the client is told of an error of the database: 503 with `Retry-After` when it is away, 400 for what it cannot keep. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (unkeepable.has(sqlState(error) ?? '')) {
    return problems.validation_failed(
      'A value cannot be kept: texts must not hold the character U+0000, numbers and times must be in range.',
    );
  }
  if (isStatementTimeout(error)) {
    return problems.statement_timeout(
      'The database did not finish in the time that one request has. Nothing was changed; ask for less at once, such as a page with `limit`, or send the request again in a few seconds.',
      { headers: { 'retry-after': '5' } },
    );
  }
  if (error instanceof OutcomeUnknown)
    return problems.outcome_unknown(
      'The connection to the database was lost at the last moment: the change was made wholly or not at all. Read again what you changed, or repeat the request with the same Idempotency-Key.',
      { headers: { 'retry-after': '5' } },
    );
  if (!isDatabaseUnavailable(error)) return undefined;
  if (sqlState(error) === diskFull) {
    return problems.unavailable(
      'The disk of the database has no room left. Nothing was changed; tell the operator to free some space, and send the request again later.',
      { headers: { 'retry-after': '30' } },
    );
  }
  return problems.unavailable(
    'The database cannot be reached at the moment. Nothing was changed; send the request again in a few seconds.',
    {
      headers: { 'retry-after': '2' },
    },
  );
}
