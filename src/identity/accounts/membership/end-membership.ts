import { deleteResponsesOf } from '../../../platform/http/idempotency.ts';
import { record } from '../../../platform/journal/record.ts';
import type { Scope } from '../../../platform/scope.ts';
import { memberRemoved } from '../events.ts';
import type { Accounts } from '../context.ts';
import { lose } from './compromised-account.ts';
import { dropIdentities } from '../sign-in/federation-queries.ts';
import * as moves from './membership-queries.ts';
import { endMemberSessions, lockCredentials, lockMembershipCredentials } from '../sign-in/credentials.ts';
import { pipelined } from '../../../platform/database/pipelined.ts';

/** The accounts, for the end of a membership. */
export type EndingAccounts = Pick<Accounts, 'tokens' | 'madeBy'>;

/** A person whose membership in a team has ended. */
export type FormerMember = { id: string; email: string; firstName: string; lastName: string; locale: string };

/** Records that a member leaves, so that other domains transfer the member’s work to the successor. The caller must have locked the membership. */
export async function emitMemberLeft(
  scope: Scope,
  id: string,
  data: { role: string; reason: 'removed' | 'left' | 'ended' | 'account_deleted'; successorId: string },
): Promise<void> {
  await lockCredentials(scope, id);
  await record(scope, memberRemoved, id, data);
}

/**
 * Ends a membership: the sessions in the team end on each node. Does nothing if the person is not a member. The identity at the team's providers
 * stays stored for a removed member, so that a sign-in through a provider does not add the person again. `closed`: the team closes with its last
 * member.
 */
export async function endMembership(
  accounts: EndingAccounts,
  scope: Scope,
  id: string,
  how: 'left' | 'removed' | 'closed',
): Promise<FormerMember | undefined> {
  const one = { team: scope.team, id };
  const locked = await scope.db.first(moves.lockAccount, one);
  if (!locked) return undefined;
  lockMembershipCredentials(scope, id);
  // The notification names the person, so it precedes the erasure of the name. A team that closes has no owner to notify.
  if (how !== 'closed') await lose(accounts, scope, id, 'gone');
  await pipelined({
    identities: () => (how === 'removed' ? undefined : scope.db.all(dropIdentities, { team: scope.team, account: id })),
    buried: () => scope.db.all(moves.anonymizeAccount, { ...one, at: scope.now }),
    answers: () => scope.db.all(deleteResponsesOf, one),
    sessions: () => endMemberSessions(accounts, scope, id, null),
  });
  return { id, email: locked.email, firstName: locked.first_name, lastName: locked.last_name, locale: locked.locale };
}

/** Makes all nodes read the permissions of a member again at the next request. The sessions stay valid. */
export async function forgetPerson(accounts: Accounts, scope: Scope, account: string): Promise<void> {
  const living = await scope.db.all(moves.notifySessions, { team: scope.team, account });
  scope.db.afterCommit(() => {
    for (const { id } of living) accounts.tokens.forget(id);
  });
}
