import { DatabaseError } from 'pg';
import { type Problem, problems } from '../problems.ts';

/** Thrown if the connection was lost after COMMIT was sent and the result could not be determined. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('The result of the commit is unknown', { cause });
  }
}

/** Thrown if the service cannot use this server, for example a standby. The message states the next step. */
export class UnsuitableServer extends Error {}

/** Returns whether the error is a violation of this constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return error instanceof DatabaseError && error.constraint === constraint;
}

/** Returns the SQLSTATE of a database error, such as `23505`. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Returns the detail of a database error with this SQLSTATE. */
export function sqlDetail(error: unknown, state: string): string | undefined {
  return error instanceof DatabaseError && error.code === state ? error.detail : undefined;
}

const inEnglish = new Set(['ERROR', 'FATAL', 'PANIC']);
/**
 * SQLSTATE classes of errors that do not end the connection: data, integrity, serialization, syntax, object in use, time limit, and errors of this
 * service.
 */
const ofStatements = /^(2[0-4679BDF]|25P02|40|42|44|55|57014|P0|QX|CR|MT)/;

/**
 * Returns whether the error rolled the transaction back: the database responded. The severity is localized (`lc_messages`);
 * if it is not English, the SQLSTATE decides.
 */
export function wasUndone(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  const { severity = '', code = '' } = error;
  return inEnglish.has(severity) ? severity === 'ERROR' : ofStatements.test(code);
}

/** SQLSTATE lock_not_available: another transaction holds the lock longer than the lock timeout. */
export const lockNotAvailable = '55P03';

// SQLSTATE invalid_sql_statement_name and duplicate_prepared_statement.
const unprepared = new Set(['26000', '42P05']);

/**
 * Returns whether a statement did not run because its preparation on a shared connection failed. Either the failure of an earlier statement prevented
 * it, or two repeated statements prepared it twice. The statement can be sent again.
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
/** Codes that file operations also have. They are socket errors only if the connection failed. */
const ofFilesToo = new Set(['EMFILE', 'ENFILE', 'ENOENT']);
// Classes of SQLSTATE for temporary errors:
// - connection exceptions
// - rejected logins and missing databases, for example during a restore or a password change
// - insufficient resources and operator intervention
// - serialization failure and deadlock, after which the request can be sent again
// - a read-only server, and transactions ended for their age
// - a statement that another one should have prepared
const passingStates = /^(08|28|3D000|53|57P|40001|40P01|25006|25P03|25P04|26000|42P05)/;

/** Messages of the driver for lost connections without a code. */
const lost =
  /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect|^timeout expired$|Client was closed|establishing an SSL connection/i;

/** Returns whether the database is unavailable or cannot serve the request now. The same request may succeed later. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown || error instanceof UnsuitableServer) return true;
  if (error instanceof DatabaseError) return error.severity === 'FATAL' || passingStates.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (socketErrors.has(code)) return !ofFilesToo.has(code) || ('syscall' in error && error.syscall === 'connect');
  return lost.test(error.message);
}

const diskFull = '53100';

/** Returns whether the database cancelled a statement because of its time limit. */
export function isStatementTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

// A text with U+0000 or an unpaired surrogate, or a number, time or offset out of range.
const unkeepable = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008', '22009']);

const declared = new Map<string, () => Problem>();
/** Declares the problem of a SQLSTATE that a trigger of a domain raises. */
export function declareSqlState(state: string, make: () => Problem): void {
  declared.set(state, make);
}

/** Maps a database error to a problem: 503 with `Retry-After` if the database is unavailable, 400 for a value that it cannot store. */
export function databaseProblem(error: unknown): Problem | undefined {
  const refused = declared.get(sqlState(error) ?? '');
  if (refused) return refused();
  if (unkeepable.has(sqlState(error) ?? '')) {
    return problems.validation_failed(
      'A value cannot be stored. Texts must not contain the character U+0000, and numbers and times must be in range.',
    );
  }
  if (isStatementTimeout(error)) {
    return problems.statement_timeout(
      'The database reached the time limit for one request. Nothing was changed. Request less data, for example with `limit`, or send the request again in a few seconds.',
      { headers: { 'retry-after': '5' } },
    );
  }
  if (error instanceof OutcomeUnknown)
    return problems.outcome_unknown(
      'The database connection was lost during the commit. The change was made completely or not at all. Read the changed resources again, or repeat the request with the same Idempotency-Key.',
      { headers: { 'retry-after': '5' } },
    );
  if (!isDatabaseUnavailable(error)) return undefined;
  if (sqlState(error) === diskFull) {
    return problems.unavailable(
      'The disk of the database is full. Nothing was changed. Ask the operator to free some space, and send the request again later.',
      { headers: { 'retry-after': '30' } },
    );
  }
  return problems.unavailable('The database is currently unavailable. Nothing was changed. Send the request again in a few seconds.', {
    headers: { 'retry-after': '2' },
  });
}
