import { readRefreshToken } from '../../../platform/crypto/refresh-tokens.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Accounts } from '../context.ts';
import * as queries from '../queries.ts';

/** The account and valid session of a browser’s cookie. An ended session does not identify a known device. */
export type SessionOfDevice = { account: string; session: string };

export async function sessionOfDevice(
  accounts: Accounts,
  database: Database,
  refreshCookie: string | undefined,
): Promise<SessionOfDevice | undefined> {
  const claim = refreshCookie === undefined ? undefined : readRefreshToken(accounts.keys.refresh, refreshCookie);
  if (!claim) return undefined;
  const idle = accounts.settings.lifetimes.sessionIdle;
  const owner = await database.reader(claim.owner).first(queries.sessionOwner, { team: claim.owner, session: claim.session, idle });
  return owner && { account: owner.account_id, session: claim.session };
}
