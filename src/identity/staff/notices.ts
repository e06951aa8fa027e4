import { accountMail } from '#accounts';
import type { Guessed } from '#credentials';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import type { Staff } from './context.ts';
import type { StaffRow } from './queries.ts';

/** Warns a member of staff about guessing, once a day for each kind. */
export async function notifyGuessing(staff: Staff, scope: Scope, person: StaffRow, what: Guessed): Promise<void> {
  if (!(await staff.throttle.take(scope.db, staff.throttle.notice(person.id, what)))) return;
  await queueMail(scope.db, { to: person.email, team: null, ...accountMail(undefined, 'guessing', person.name, what) });
}
