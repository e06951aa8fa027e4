import type { RowWithout } from '../../../platform/database/row.ts';
import { sqlStatement, type TeamParams, type TeamScopedId } from '../../../platform/database/statement.ts';

export type ServerRow = RowWithout<'agent_mcp_server', 'rejected_tools' | 'team_id' | 'token_turn' | 'token_turn_until'> & {
  rejected_tools: { name: string; reason: string }[];
  tools: number;
  tools_on: number;
};
const columns = `s.id, s.slug, s.name, s.url, s.origin, s.credential, s.credential_header, s.enabled, s.trusted_egress, s.sign_in_issuer, s.signed_in_by,
  s.signed_in_at, s.checked_at, s.failure,
  s.rejected_tools, s.version, s.created_by, s.created_at, s.updated_at,
  (SELECT count(*)::integer FROM agent_mcp_tool t WHERE t.team_id = $team AND t.server_id = s.id) AS tools,
  (SELECT count(*)::integer FROM agent_mcp_tool t WHERE t.team_id = $team AND t.server_id = s.id AND t.pinned_hash = t.hash AND NOT t.missing) AS tools_on`;

/** Serializes changes of the servers of a team. */
export const lockServers = sqlStatement<TeamParams, never>(
  "SELECT pg_advisory_xact_lock(hashtextextended('agent servers ' || $team, 0)) AS locked",
);
export const listServers = sqlStatement<TeamParams, ServerRow>(
  `SELECT ${columns} FROM agent_mcp_server s WHERE s.team_id = $team ORDER BY s.slug LIMIT 100`,
);
export const findServer = sqlStatement<TeamScopedId, ServerRow>(
  `SELECT ${columns} FROM agent_mcp_server s WHERE s.team_id = $team AND s.id = $id`,
);

export const insertServer = sqlStatement<
  TeamScopedId & {
    slug: string;
    name: string;
    url: string;
    origin: string;
    credential: Buffer | null;
    header: string | null;
    trusted: boolean;
    by: string;
    at: Date;
  },
  never
>(
  `INSERT INTO agent_mcp_server (team_id, id, slug, name, url, origin, credential, credential_header, trusted_egress, created_by, created_at, updated_at)
   VALUES ($team, $id, $slug, $name, $url, $origin, $credential, $header, $trusted, $by, $at, $at)`,
);
export const updateServer = sqlStatement<
  TeamScopedId & {
    name: string;
    url: string;
    origin: string;
    keeps: boolean;
    credential: Buffer | null;
    header: string | null;
    enabled: boolean;
    trusted: boolean;
    at: Date;
  },
  never
>(
  // The kept credential stays in the row: a concurrent renewal may have stored new tokens.
  `UPDATE agent_mcp_server SET name = $name, url = $url, origin = $origin,
     credential = CASE WHEN $keeps THEN credential ELSE $credential END,
     credential_header = CASE WHEN $keeps THEN credential_header ELSE $header END,
     sign_in_issuer = CASE WHEN $keeps THEN sign_in_issuer END, signed_in_by = CASE WHEN $keeps THEN signed_in_by END,
     signed_in_at = CASE WHEN $keeps THEN signed_in_at END, token_turn = CASE WHEN $keeps THEN token_turn END,
     token_turn_until = CASE WHEN $keeps THEN token_turn_until END,
     enabled = $enabled, trusted_egress = $trusted, version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
export const deleteServer = sqlStatement<TeamScopedId, never>('DELETE FROM agent_mcp_server WHERE team_id = $team AND id = $id');
export const storeCheck = sqlStatement<TeamScopedId & { failure: string | null; rejectedTools: string | null; at: Date }, never>(
  `UPDATE agent_mcp_server SET checked_at = $at, failure = $failure, rejected_tools = coalesce($rejectedTools::jsonb, rejected_tools), version = version + 1, updated_at = $at
   WHERE team_id = $team AND id = $id`,
);
export const countChange = sqlStatement<TeamScopedId & { at: Date }, never>(
  'UPDATE agent_mcp_server SET version = version + 1, updated_at = $at WHERE team_id = $team AND id = $id',
);

export type ToolRow = RowWithout<'agent_mcp_tool', 'definition' | 'pinned_hash' | 'server_id' | 'team_id'> & {
  /** The definition as JSON text. */
  definition: string;
  /** The hash of the description that was enabled; null while the tool is off. */
  pinned_hash: string | null;
};
export const toolsOf = sqlStatement<TeamScopedId, ToolRow>(
  `SELECT name, definition, hash, pinned_hash, changed, missing, read_only, idempotent, set_by, set_at FROM agent_mcp_tool
   WHERE team_id = $team AND server_id = $id ORDER BY name LIMIT 500`,
);
/** Stores the definition of a tool. An enabled tool with a changed definition is disabled. */
export const putTool = sqlStatement<TeamScopedId & { name: string; definition: string; hash: string }, never>(
  `INSERT INTO agent_mcp_tool AS t (team_id, server_id, name, definition, hash) VALUES ($team, $id, $name, $definition, $hash)
   ON CONFLICT (team_id, server_id, name) DO UPDATE SET definition = $definition, hash = $hash, missing = false,
     changed = t.changed OR t.pinned_hash IS DISTINCT FROM $hash AND t.pinned_hash IS NOT NULL,
     read_only = t.read_only AND t.pinned_hash IS NOT DISTINCT FROM $hash,
     idempotent = t.idempotent AND t.pinned_hash IS NOT DISTINCT FROM $hash,
     pinned_hash = CASE WHEN t.pinned_hash = $hash THEN t.pinned_hash END`,
);
/** Marks enabled tools that the server no longer has as missing. `dropTools` deletes disabled ones. */
export const markToolsMissing = sqlStatement<TeamScopedId & { names: readonly string[] }, { name: string }>(
  `UPDATE agent_mcp_tool SET missing = true, pinned_hash = NULL, read_only = false, idempotent = false, changed = true
   WHERE team_id = $team AND server_id = $id AND name <> ALL ($names) AND pinned_hash IS NOT NULL RETURNING name`,
);
export const dropTools = sqlStatement<TeamScopedId & { names: readonly string[] }, never>(
  'DELETE FROM agent_mcp_tool WHERE team_id = $team AND server_id = $id AND name <> ALL ($names) AND NOT missing',
);
export const setTool = sqlStatement<
  TeamScopedId & { name: string; hash: string; enabled: boolean; readOnly: boolean; idempotent: boolean; by: string; at: Date },
  { name: string }
>(
  `UPDATE agent_mcp_tool SET pinned_hash = CASE WHEN $enabled THEN hash END, read_only = $readOnly AND $enabled, idempotent = $idempotent AND $enabled, changed = false, set_by = $by, set_at = $at
   WHERE team_id = $team AND server_id = $id AND name = $name AND hash = $hash AND NOT ($enabled AND missing) RETURNING name`,
);
export const findTool = sqlStatement<TeamScopedId & { name: string }, { name: string }>(
  'SELECT name FROM agent_mcp_tool WHERE team_id = $team AND server_id = $id AND name = $name',
);

export type UsableRow = Pick<ServerRow, 'id' | 'slug' | 'url' | 'origin' | 'credential' | 'trusted_egress'> &
  Pick<ToolRow, 'name' | 'definition' | 'hash' | 'read_only' | 'idempotent'>;
/** The usable tools with these names for agents. */
export const usableTools = sqlStatement<TeamParams & { names: readonly string[] }, UsableRow>(
  `SELECT s.id, s.slug, s.url, s.origin, s.credential, s.trusted_egress, t.name, t.definition, t.hash, t.read_only, t.idempotent
   FROM agent_mcp_server s JOIN agent_mcp_tool t ON t.team_id = $team AND t.server_id = s.id
   WHERE s.team_id = $team AND s.enabled AND t.pinned_hash = t.hash AND NOT t.missing AND s.slug || '__' || t.name = ANY ($names)
   ORDER BY s.slug, t.name LIMIT 200`,
);
export const markToolMissing = sqlStatement<TeamScopedId & { name: string }, never>(
  `UPDATE agent_mcp_tool SET missing = true, pinned_hash = NULL, read_only = false, idempotent = false, changed = true
   WHERE team_id = $team AND server_id = $id AND name = $name`,
);
