import type { LiveClient, TokenClaims } from '#accounts';
import type { Database } from '../../platform/database/database.ts';
import { credentialCheck } from '../../platform/database/credential-check.ts';
import { checkClientCredential, liveToken } from './queries.ts';

/** Looks up whether a client’s token is valid, and its rights. The token ends with its client and its secret. */
export function clientLookup(database: Database): (claims: TokenClaims) => Promise<LiveClient | undefined> {
  return async ({ team, sid, jti }) => {
    const row = await database.withoutTeam((tx) => tx.first(liveToken, { team, secret: sid, jti }));
    return (
      row && {
        clientId: row.client_id,
        team,
        scopes: row.scopes,
        ...(row.folder_ids === null ? {} : { folderIds: row.folder_ids }),
        until: row.until === null ? Number.POSITIVE_INFINITY : Date.parse(row.until),
        proof: (scopes) => {
          const { client_id: client, folder_ids: folders } = row;
          return credentialCheck(checkClientCredential, { team, client, secret: sid, token: jti, scopes: [...scopes], folders });
        },
      }
    );
  };
}
