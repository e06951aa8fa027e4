import type { MadeBy } from '#accounts';
import { recordAudit } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { invitationRevoked } from './events.ts';
import * as queries from './invitation-queries.ts';

/**
 * Ends what somebody has invited who may invite no more, a person or an API client, and nobody has accepted: it would let in whom they have chosen.
 * Returns the addresses. `above`: only those to administer.
 */
export async function endInvitationsBy(scope: Scope, by: string, above = false): Promise<string[]> {
  const ended = await scope.db.all(queries.revokeMadeBy, { team: scope.team, by, above, at: scope.now });
  await Promise.all(ended.map(({ id }) => recordAudit(scope, invitationRevoked, id)));
  return ended.map(({ email }) => email);
}

/** Of a person who was reset, and may invite still, those to administer end. */
export const invitationsMadeBy: MadeBy = async (scope, account, why) => {
  const ended = await endInvitationsBy(scope, account, why === 'reset');
  return ended.map((name) => ({ kind: 'invitation', name, now: 'ended' }));
};
