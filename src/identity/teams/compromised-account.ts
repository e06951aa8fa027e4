import type { MadeBy } from '#accounts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { invitationRevoked } from './events.ts';
import * as queries from './invitation-queries.ts';

/**
 * Ends the pending invitations of a user or an API client that may no longer invite, because an attacker may
 * have chosen the addressees. With `above`, it ends only invitations of administrators. Returns the addresses.
 */
export async function endInvitationsBy(scope: Scope, by: string, above = false): Promise<string[]> {
  const ended = await scope.db.all(queries.revokeMadeBy, { team: scope.team, by, above, at: scope.now });
  await Promise.all(ended.map(({ id }) => recordAudit(scope, invitationRevoked, id)));
  return ended.map(({ email }) => email);
}

/**
 * Ends the invitations of a user whose account may be compromised. After a password reset the user can still invite, so
 * only invitations of administrators end.
 */
export const invitationsMadeBy: MadeBy = async (scope, account, why) => {
  const ended = await endInvitationsBy(scope, account, why === 'reset');
  return ended.map((name) => ({ kind: 'invitation', name, now: 'ended' }));
};
