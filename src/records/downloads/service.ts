import { hkdfSync } from 'node:crypto';
import type { Static } from 'typebox';
import { open, seal } from '../../platform/crypto/secretbox.ts';
import { newTeamToken, readTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import type { Database } from '../../platform/database/database.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { addressCreated } from './events.ts';
import { downloadProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { downloadBody } from './schemas.ts';

const lifetimeMs = 60_000;

/** A request for a file, with the access token of its caller. */
export type FileRequest = { method: 'GET' | 'POST'; path: string; body: string | null; token: string };

/** Only the address has the key, so the stored access token is useless without it. */
const keyOf = (token: string): Buffer => Buffer.from(hkdfSync('sha256', token, '', 'chancery download address', 32));
const boundTo = (hash: Buffer): string => `download_address ${hash.toString('base64url')}`;

/** Creates an address for a file, for the caller whose access token is `credential`. */
export async function createAddress(
  scope: Scope,
  { path, body }: Static<typeof downloadBody>,
  { baseUrl, credential }: { baseUrl: string; credential: string },
): Promise<{ url: string; expiresAt: string }> {
  const token = newTeamToken(scope.team);
  const hash = tokenHash(token);
  const expires = new Date(scope.now.getTime() + lifetimeMs);
  scope.db.send(queries.insertAddress, {
    team: scope.team,
    hash,
    method: body === undefined ? 'GET' : 'POST',
    path,
    body: body === undefined ? null : JSON.stringify(body),
    credential: seal(keyOf(token), credential, boundTo(hash)),
    expires,
  });
  await recordAudit(scope, addressCreated, undefined, { path: path.split('?', 1)[0] ?? '' });
  return { url: `${baseUrl}/api/v1/downloads/${token}`, expiresAt: expires.toISOString() };
}

/** Returns the request of an address. `uses`: the address is then used. Errors: 404 `download_expired`. */
export async function requestOf(database: Database, token: string, uses: boolean): Promise<FileRequest> {
  const key = readTeamToken(token);
  const found = key && (await database.inTeam(key.team, (db) => db.first(uses ? queries.takeAddress : queries.findAddress, key)));
  if (!found) throw downloadProblems.download_expired('The address was used, has expired, or does not exist. Start the download again.');
  const { credential, ...request } = found;
  return { ...request, token: open(keyOf(token), credential, boundTo(key.hash)).toString() };
}
