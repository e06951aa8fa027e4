import { sqlStatement, type Statement } from '../../platform/database/statement.ts';
import type { RefreshClaim } from '../../platform/crypto/refresh-tokens.ts';
import type { SessionFacts } from './refresh.ts';

/** Where the sessions `s` of people, or of staff, are kept, and whose they are. */
export type SessionTables = {
  table: string;
  /** By which column the holder of a token finds them. */
  holder: string;
  /** Whose they are: the tables, and how a session's row is joined to theirs. */
  of: string;
  joined: string;
  /** That whose it is may still use it: they are as they were when it was opened. */
  alive: string;
  /** What is told of a session beside the facts of any. */
  facts: string;
};

export type SessionStatements<Facts> = {
  /**
   * Rotates a refresh token: one guarded update, so that of two requests with the same token one rotates. The latest
   * rotation times are kept, to tell a retry from a replay.
   */
  rotate: Statement<RefreshClaim & { keep: number; idle: number }, Facts & SessionFacts>;
  /** A living session with the age of its latest rotations, in seconds, oldest first. */
  state: Statement<Pick<RefreshClaim, 'holder' | 'session'> & { idle: number }, Facts & SessionFacts & { ages: number[] }>;
};

/** The statements of refresh tokens over one set of tables, which their owner names. */
export function sessionStatements<Facts>({ table, holder, of, joined, alive, facts }: SessionTables): SessionStatements<Facts> {
  const sessionColumns = `${facts}, s.auth_time, s.amr, s.acr, s.refresh_counter AS counter`;
  const found = `s.${holder} = $holder AND s.id = $session AND ${joined} AND session_in_use(s.revoked_at, s.expires_at, s.last_used_at, $idle) AND ${alive}`;
  return {
    rotate: sqlStatement(
      `UPDATE ${table} s SET refresh_counter = s.refresh_counter + 1, last_used_at = now(),
         rotations = (s.rotations || now())[greatest(1, cardinality(s.rotations) + 2 - $keep) :]
       FROM ${of} WHERE ${found} AND s.refresh_counter = $counter RETURNING ${sessionColumns}`,
    ),
    state: sqlStatement(
      `SELECT ${sessionColumns}, ARRAY(SELECT extract(epoch FROM now() - r)::float8 FROM unnest(s.rotations) WITH ORDINALITY AS x(r, n) ORDER BY n) AS ages
       FROM ${table} s, ${of} WHERE ${found}`,
    ),
  };
}
