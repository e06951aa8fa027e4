import { randomUUIDv7 } from 'node:crypto';
import { type AuthorizationServer, startAuthorizationServer } from './authorization-server.ts';
import type { Chancery } from './harness.ts';

/* MCP servers elsewhere as walks need them: nobody is asked there, for the port is closed. */

export const serverBody = () => ({ slug: `w-${randomUUIDv7().slice(-12)}`, name: 'Walked', url: 'https://127.0.0.1:1/mcp' });

/** A tool of a server, as if that had been asked. */
export async function insertTool({ pool }: Chancery, server: string): Promise<{ toolName: string; hash: string }> {
  const definition = JSON.stringify({ name: 'walked_tool', description: 'Finds.', inputSchema: { type: 'object' } });
  await pool.query(
    "INSERT INTO agent_mcp_tool (team_id, server_id, name, definition, hash) SELECT team_id, id, 'walked_tool', $2, 'walked' FROM agent_mcp_server WHERE id = $1",
    [server, definition],
  );
  return { toolName: 'walked_tool', hash: 'walked' };
}

let issuer: Promise<AuthorizationServer> | undefined;
/** A server at whose address one can sign in: an authorization server that is a server of tools to walks. It ends with its process. */
export async function signInServerBody(): Promise<{ slug: string; name: string; url: string }> {
  issuer ??= startAuthorizationServer({ keepsProcess: false });
  return { ...serverBody(), url: (await issuer).url };
}

/** What a person’s browser brings back from there. */
export const allowedThere = async (address: string): Promise<Record<string, string>> => (await issuer)?.allow(address) ?? {};
