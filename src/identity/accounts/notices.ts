import type { Guessed } from '#credentials';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Accounts } from './context.ts';
import { accountMail } from './mails.ts';
import * as queries from './queries.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** Warns a user about guessing, at most once a day for each kind. */
export async function notifyGuessing(accounts: Accounts, scope: Scope, account: string, what: Guessed): Promise<void> {
  const { person, first } = await pipelined({
    person: () => scope.db.first(queries.accountById, { team: scope.team, id: account }),
    first: () => accounts.throttle.take(scope.db, accounts.throttle.notice(account, what)),
  });
  if (!person || !first) return;
  await queueMail(scope.db, { to: person.email, team: scope.team, ...accountMail(person.locale, 'guessing', person.first_name, what) });
}
