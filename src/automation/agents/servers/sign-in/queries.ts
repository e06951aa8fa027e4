import type { Row } from '../../../../platform/database/row.ts';
import { sqlStatement, type TeamScopedId } from '../../../../platform/database/statement.ts';

/** Stores a started sign-in. It replaces an earlier one for the same server. */
export const putBegun = sqlStatement<
  TeamScopedId & { origin: string; state: Buffer; session: string; by: string; begun: Buffer; seconds: number },
  { expires_at: string }
>(
  `INSERT INTO agent_mcp_sign_in (team_id, server_id, origin, state_hash, session_id, begun_by, begun, expires_at)
   VALUES ($team, $id, $origin, $state, $session, $by, $begun, now() + make_interval(secs => $seconds))
   ON CONFLICT (team_id, server_id) DO UPDATE SET origin = $origin, state_hash = $state, session_id = $session, begun_by = $by, begun = $begun,
     expires_at = now() + make_interval(secs => $seconds)
   RETURNING expires_at`,
);

/** Deletes and returns the sign-in that this session started, so that its response works only once. */
export const takeBegun = sqlStatement<
  TeamScopedId & { state: Buffer; session: string },
  { origin: string; begun: Buffer; in_time: boolean }
>(
  `DELETE FROM agent_mcp_sign_in WHERE team_id = $team AND server_id = $id AND state_hash = $state AND session_id = $session
   RETURNING origin, begun, expires_at > now() AS in_time`,
);

export const putGrant = sqlStatement<TeamScopedId & { origin: string; credential: Buffer; issuer: string; by: string; at: Date }, never>(
  `UPDATE agent_mcp_server SET credential = $credential, credential_header = 'Authorization', sign_in_issuer = $issuer, signed_in_by = $by,
     signed_in_at = $at, token_turn = NULL, token_turn_until = NULL, failure = NULL, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND origin = $origin`,
);

export type SealedRow = Row<'agent_mcp_server', 'id' | 'url' | 'origin' | 'credential'>;
export const sealedOf = sqlStatement<TeamScopedId, SealedRow>(
  'SELECT id, url, origin, credential FROM agent_mcp_server WHERE team_id = $team AND id = $id',
);

/** Claims the renewal of tokens for one node, because authorization servers treat a reused refresh token as stolen. */
export const takeTurn = sqlStatement<TeamScopedId & { origin: string; turn: string; seconds: number }, SealedRow>(
  `UPDATE agent_mcp_server SET token_turn = $turn, token_turn_until = now() + make_interval(secs => $seconds)
   WHERE team_id = $team AND id = $id AND origin = $origin AND (token_turn IS NULL OR token_turn_until < now())
   RETURNING id, url, origin, credential`,
);
export const putTokens = sqlStatement<TeamScopedId & { turn: string; credential: Buffer }, { id: string }>(
  `UPDATE agent_mcp_server SET credential = $credential, token_turn = NULL, token_turn_until = NULL
   WHERE team_id = $team AND id = $id AND token_turn = $turn RETURNING id`,
);
export const endTurn = sqlStatement<TeamScopedId & { turn: string }, never>(
  'UPDATE agent_mcp_server SET token_turn = NULL, token_turn_until = NULL WHERE team_id = $team AND id = $id AND token_turn = $turn',
);
/** Deletes an invalid sign-in. */
export const endGrant = sqlStatement<TeamScopedId & { turn: string; at: Date }, { slug: string }>(
  `UPDATE agent_mcp_server SET credential = NULL, credential_header = NULL, sign_in_issuer = NULL, signed_in_by = NULL, signed_in_at = NULL,
     token_turn = NULL, token_turn_until = NULL, failure = 'sign_in_needed', version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id AND token_turn = $turn RETURNING slug`,
);

/** The servers at which the user has signed in. The caller must have locked the servers of the team. */
export const signedInBy = sqlStatement<{ team: string; user: string }, SealedRow & { slug: string; sign_in_issuer: string | null }>(
  `SELECT id, slug, url, origin, credential, sign_in_issuer FROM agent_mcp_server WHERE team_id = $team AND signed_in_by = $user ORDER BY id FOR UPDATE`,
);
/** Ends a sign-in. Clearing `token_turn` also prevents a concurrent renewal from storing tokens. */
export const endSignIn = sqlStatement<TeamScopedId & { at: Date }, never>(
  `UPDATE agent_mcp_server SET credential = NULL, credential_header = NULL, sign_in_issuer = NULL, signed_in_by = NULL, signed_in_at = NULL,
     token_turn = NULL, token_turn_until = NULL, failure = 'sign_in_needed', version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
