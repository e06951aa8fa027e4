import { sqlStatement, type Statement } from '../../platform/database/statement.ts';
import type { RefreshClaim } from '../../platform/crypto/refresh-tokens.ts';
import type { SessionFacts } from './refresh.ts';

/** The tables of the sessions `s` of users or of staff, and of their owners. */
export type SessionTables = {
  table: string;
  /** The column with the identifier of the session’s owner. */
  owner: string;
  /** The tables of the owners, and the condition that joins a session to them. */
  of: string;
  joined: string;
  /** Condition: the owner may still use the session, because the credentials have not changed since it was opened. */
  alive: string;
  /** Additional columns for the tokens. */
  facts: string;
};

export type SessionStatements<Facts> = {
  /**
   * Rotates a refresh token in one conditional update: of two requests with the same token, only
   * one rotates. The latest rotation times are stored to distinguish a retry from a replay.
   */
  rotate: Statement<RefreshClaim & { keep: number; idle: number }, Facts & SessionFacts>;
  /** A valid session with the ages of its latest rotations, in seconds, oldest first. */
  state: Statement<Pick<RefreshClaim, 'owner' | 'session'> & { idle: number }, Facts & SessionFacts & { ages: number[] }>;
};

/** Builds the statements of refresh tokens, for the tables of users or of staff. */
export function sessionStatements<Facts>({ table, owner, of, joined, alive, facts }: SessionTables): SessionStatements<Facts> {
  const sessionColumns = `${facts}, s.auth_time, s.amr, s.acr, s.refresh_counter AS counter`;
  const found = `s.${owner} = $owner AND s.id = $session AND ${joined} AND session_in_use(s.revoked_at, s.expires_at, s.last_used_at, $idle) AND ${alive}`;
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
