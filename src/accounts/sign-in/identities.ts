import { inOrder } from '../../platform/database/together.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Accounts } from '../context.ts';
import { identityUnlinked } from '../events.ts';
import { accountMail } from '../mails.ts';
import { lockMembers } from '../membership/move-queries.ts';
import { accountProblems } from '../problems.ts';
import type { LinkedIdentity } from '../schemas.ts';
import { endSessions } from './credentials.ts';
import * as queries from './federation-queries.ts';
import { requireRecentSignIn } from './step-up.ts';

/** The identities at providers that an account is linked with, the oldest first. */
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
 * Removes an identity of the caller, ends their other sessions and sends a mail. Errors: 401 `reauthentication_required`, 404,
 * 409 `last_sign_in_method`.
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
    throw accountProblems.last_sign_in_method(
      'You could not sign in without this identity. Set a password or link another identity first.',
    );
  await inOrder([
    () => endSessions(accounts, scope, person.account_id, session),
    () => recordAct(scope, identityUnlinked, person.account_id, { connectionId: removed.connection_id }),
    () =>
      queueMail(scope.db, {
        to: person.email,
        team: scope.team,
        ...accountMail(person.locale, 'identityRemoved', person.first_name, new URL(removed.issuer).host),
      }),
  ]);
}
