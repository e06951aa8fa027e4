import { issuingTeam } from '#teams';
import type { Static } from 'typebox';
import type { Database } from '../../../platform/database/database.ts';
import type { sealedRequest } from '../schemas.ts';
import { isSignedBy } from './documents.ts';
import * as queries from './queries.ts';
import { signersOf } from './signer-queries.ts';

export type SealedRequest = Static<typeof sealedRequest>;

/**
 * Returns the request whose sealed file has this SHA-256, with the signers of that document and their times. These are also on the certificate page of the file. Addresses
 * are omitted. Returns undefined after erasure of the request.
 */
export async function requestBySeal(database: Database, sha256: string): Promise<SealedRequest | undefined> {
  const found = await database.publicReader.first(queries.requestBySeal, { sha256 });
  if (!found) return undefined;
  const { team_id: team, request_id: id, place } = found;
  const db = database.reader(team);
  const request = await db.first(queries.findRequest, { team, id });
  const document = request?.documents.find((one) => one.place === place);
  if (!document || document.sealedAt === null) return undefined;
  const signers = await db.all(signersOf, { team, request: id });
  const issuer = await db.first(issuingTeam, { team });
  return {
    id,
    title: document.title,
    team: issuer?.name ?? '',
    sealedAt: document.sealedAt,
    signers: signers.flatMap((signer) => {
      const { name, typed_name: typed, role, signed_at: at, known } = signer;
      return at === null || role === 'copy' || !isSignedBy(document, signer)
        ? []
        : [{ name, ...(typed === null || typed === name ? {} : { typedName: typed }), role, signedAt: at, known: known ?? 'link' }];
    }),
  };
}
