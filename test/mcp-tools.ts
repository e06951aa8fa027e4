import { randomUUIDv7 } from 'node:crypto';
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts';
import type { Chancery } from './harness.ts';

/* MCP servers for tests that walk over all operations. The port is closed, so they get no requests. */

export const serverBody = () => ({ slug: `w-${randomUUIDv7().slice(-12)}`, name: 'Walked', url: 'https://127.0.0.1:1/mcp' });

/** Inserts a tool of a server, as after a request to the server. */
export async function insertTool({ pool }: Chancery, server: string): Promise<{ toolName: string; hash: string }> {
  const definition = JSON.stringify({ name: 'walked_tool', description: 'Finds.', inputSchema: { type: 'object' } });
  await pool.query(
    "INSERT INTO agent_mcp_tool (team_id, server_id, name, definition, hash) SELECT team_id, id, 'walked_tool', $2, 'walked' FROM agent_mcp_server WHERE id = $1",
    [server, definition],
  );
  return { toolName: 'walked_tool', hash: 'walked' };
}

let issuer: Promise<AuthorizationServer> | undefined;
/** Returns a server whose address supports sign-in: an authorization server that also acts as an MCP server. It ends with its process. */
export async function signInServerBody(): Promise<{ slug: string; name: string; url: string }> {
  issuer ??= startAuthorizationServer({ keepsProcess: false });
  return { ...serverBody(), url: (await issuer).url };
}

/** Returns the query that the browser of a user brings back from there. */
export const allowedThere = async (address: string): Promise<Record<string, string>> => (await issuer)?.allow(address) ?? {};
