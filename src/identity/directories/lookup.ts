import type { DirectoryLookup } from '#accounts';
import { subjectClaimOf } from '#sso';
import * as queries from './queries.ts';
import { accountOfExternalId, userOfAccount } from './scim/user-queries.ts';

/** What accounts and teams ask about the users of directories. */
export const lookup: DirectoryLookup = {
  async accountOf({ db, team }, { connectionId, subject, objectId }) {
    const directory = await db.first(queries.settingsThrough, { team, connection: connectionId });
    if (!directory) return undefined;
    // A connection can name the claim with the external identifier. Entra ID provisions the object id, because the subject of its sign-ins differs for each application.
    const claim = (await db.first(subjectClaimOf, { team, id: connectionId }))?.subject_claim ?? null;
    const externalId = directory.kind === 'entra' || claim !== null ? objectId : subject;
    if (externalId === undefined) return undefined;
    return (await db.first(accountOfExternalId, { team, directory: directory.id, externalId }))?.account_id ?? undefined;
  },
  async hasDeactivated({ db, team }, account) {
    return (await db.first(userOfAccount, { team, account }))?.active === false;
  },
};
