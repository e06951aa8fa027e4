import type { Database } from '../../platform/database/database.ts';
import { readTeamToken } from '../../platform/crypto/tokens.ts';
import { credentialCheck } from '../../platform/database/credential-check.ts';
import type { Principal } from '../../platform/scope.ts';
import { directoryByToken, proveToken } from './queries.ts';

/** Verifies the bearer token of a directory. It is read from the database at each request, so that a deleted token ends at once. */
export async function verifyToken(database: Database, token: string): Promise<Principal | undefined> {
  const key = readTeamToken(token);
  const found = key && (await database.publicReader.first(directoryByToken, key));
  if (!found) return undefined;
  const { team } = key;
  const { directory_id: id, token_id: tokenId } = found;
  return {
    actor: { type: 'directory', id },
    team,
    role: undefined,
    scopes: new Set(),
    sessionId: tokenId,
    authTime: 0,
    acr: 'aal1',
    expiresAt: Math.floor(Date.parse(found.expires_at) / 1_000),
    proof: credentialCheck(proveToken, { team, token: tokenId }),
  };
}
