import type { MadeBy } from '#accounts';
import { recordAct } from '../platform/journal/record.ts';
import { invitationRevoked } from './events.ts';
import * as queries from './invitation-queries.ts';

/** Invitations to administer that a lost person has made, and nobody has accepted, end: they would let anybody in. */
export const invitationsMadeBy: MadeBy = async (scope, account) => {
  const ended = await scope.db.all(queries.revokeOfAdministrators, { team: scope.team, by: account, at: scope.now });
  await Promise.all(ended.map(({ id }) => recordAct(scope, invitationRevoked, id)));
  return ended.map(({ email }) => ({ kind: 'invitation', name: email, now: 'ended' }));
};
