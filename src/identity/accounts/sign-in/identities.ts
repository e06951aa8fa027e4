import { pipelined } from '../../../platform/database/pipelined.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { identityUnlinked } from '../events.ts';
import { accountMail } from '../mails.ts';
import { lockMembers } from '../membership/membership-queries.ts';
import { accountProblems } from '../problems.ts';
import { accountById } from '../queries.ts';
import type { LinkedIdentity } from '../schemas.ts';
import { endMemberSessions } from './credentials.ts';
import * as queries from './federation-queries.ts';
import { providerName } from './provider-name.ts';
import { requireRecentSignIn } from './reauthentication.ts';

/** Lists the identities of an account, oldest first. */
export async function listIdentities(scope: ReadScope, account: string): Promise<LinkedIdentity[]> {
  const rows = await scope.db.all(queries.identitiesOf, { team: scope.team, account });
  return rows.map((row) => ({
    id: row.id,
    connectionId: row.connection_id,
    issuer: row.issuer,
    subject: row.subject,
    ...(row.email === null ? {} : { email: row.email }),
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

/**
 * Removes an identity of the caller, ends their other sessions and sends a mail.
 * Throws 401 `reauthentication_required`, 404 or 409 `last_sign_in_method`.
 */
export async function removeIdentity(accounts: Accounts, scope: Scope, session: string, given: string): Promise<void> {
  const id = pathId(given, 'identity');
  await scope.db.all(lockMembers, { team: scope.team });
  const person = await requireRecentSignIn(scope, session);
  const who = { team: scope.team, account: person.account_id };
  const removed = await scope.db.first(queries.dropIdentityById, { ...who, id });
  if (!removed) throw notFound('identity');
  const left = await scope.db.first(queries.canSignIn, who);
  if (!left?.can)
    throw accountProblems.last_sign_in_method('This identity is your last sign-in method. Set a password or link another identity first.');
  await unlinked(accounts, scope, { ...person, id: person.account_id }, { ...removed, by: 'person', keeping: session });
}

/** Lists the identities of a member for owner and administrators. Throws 404. */
export async function listMemberIdentities(scope: ReadScope, given: string): Promise<LinkedIdentity[]> {
  const account = pathId(given, 'member');
  if (!(await scope.db.first(accountById, { team: scope.team, id: account }))) throw notFound('member');
  return listIdentities(scope, account);
}

/**
 * Removes an identity of a member, ends all their sessions and sends them a mail. It can be the member’s last sign-in method.
 * Throws 401 `reauthentication_required`, 404, and for an identity of the caller the errors of {@link removeIdentity}.
 */
export async function removeMemberIdentity(
  accounts: Accounts,
  scope: Scope,
  session: string,
  given: { userId: string; id: string },
): Promise<void> {
  const [account, id] = [pathId(given.userId, 'member'), pathId(given.id, 'identity')];
  if (scope.actor.type === 'user' && account === scope.actor.id) return removeIdentity(accounts, scope, session, id);
  await scope.db.all(lockMembers, { team: scope.team });
  await requireRecentSignIn(scope, session);
  const person = await scope.db.first(accountById, { team: scope.team, id: account });
  if (!person) throw notFound('member');
  const removed = await scope.db.first(queries.dropIdentityById, { team: scope.team, account, id });
  if (!removed) throw notFound('identity');
  await unlinked(accounts, scope, person, { ...removed, by: 'administrator', keeping: null });
}

type Unlinked = { issuer: string; connection_id: string; by: 'person' | 'administrator'; keeping: string | null };

/** Ends the sessions of a user whose identity was removed, except `keeping`, records the change and sends a mail. */
async function unlinked(
  accounts: Accounts,
  scope: Scope,
  person: { id: string; email: string; locale: string; first_name: string },
  { issuer, connection_id: connectionId, by, keeping }: Unlinked,
): Promise<void> {
  await pipelined([
    () => endMemberSessions(accounts, scope, person.id, keeping),
    () => recordAudit(scope, identityUnlinked, person.id, { connectionId }),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: scope.team,
        ...accountMail(person.locale, 'identityRemoved', person.first_name, providerName(issuer), by),
      }),
  ]);
}
