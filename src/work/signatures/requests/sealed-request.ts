import { issuingTeam } from '#teams';
import type { Static } from 'typebox';
import type { Database } from '../../../platform/database/database.ts';
import type { sealedRequest } from '../schemas.ts';
import * as queries from './queries.ts';
import { signersOf } from './signer-queries.ts';

export type SealedRequest = Static<typeof sealedRequest>;

/**
 * Returns the request whose sealed file has this SHA-256, with its signers and times. These are also on the certificate page of the file. Addresses
 * are omitted. Returns undefined after erasure of the request.
 */
export async function requestBySeal(database: Database, sha256: string): Promise<SealedRequest | undefined> {
  const found = await database.publicReader.first(queries.requestBySeal, { sha256 });
  if (!found) return undefined;
  const { team_id: team, request_id: id, title, sealed_at: sealedAt } = found;
  const db = database.reader(team);
  if (!(await db.first(queries.findRequest, { team, id }))) return undefined;
  const signers = await db.all(signersOf, { team, request: id });
  const issuer = await db.first(issuingTeam, { team });
  return {
    id,
    title,
    team: issuer?.name ?? '',
    sealedAt,
    signers: signers.flatMap(({ name, typed_name: typed, role, signed_at: at, known }) =>
      at === null || role === 'copy'
        ? []
        : [{ name, ...(typed === null || typed === name ? {} : { typedName: typed }), role, signedAt: at, known: known ?? 'link' }],
    ),
  };
}
