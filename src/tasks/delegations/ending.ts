import { fullNameOf, memberToTell } from '#teams';
import { inOrder } from '../../platform/database/together.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import type { Scope } from '../../platform/scope.ts';
import { delegationEnded } from '../events.ts';
import { delegationEndedMail } from './mails.ts';
import * as queries from './queries.ts';

/** Why nobody stands in any more. */
export type Ended = 'over' | 'revoked' | 'replaced' | 'removed' | 'suspended';

/** Ends the delegation of somebody, and says so to both. */
export async function endDelegation(scope: Scope, user: string, reason: Ended): Promise<void> {
  const row = await scope.db.first(queries.dropDelegation, { team: scope.team, user });
  if (row) await tellEnded(scope, row, reason);
}

/** Says that one has ended, in the journal and to who stood in. */
export async function tellEnded(scope: Scope, row: queries.DelegationRow, reason: Ended): Promise<void> {
  const { name, ...more } = await named(scope, row);
  await recordAct(scope, delegationEnded, row.user_id, { name, ...more, reason });
  const person = await scope.db.first(memberToTell, { team: scope.team, id: row.to_user_id });
  if (!person) return;
  await queueMail(scope.db, {
    ...delegationEndedMail(person.locale, { name }),
    to: person.email,
    team: scope.team,
    budgeted: true,
    unhurried: true,
  });
}

/** What the journal says of a delegation, with what both are called. */
export async function named({ db, team }: Scope, row: queries.DelegationRow) {
  const { away, standsIn } = await inOrder({
    away: () => db.first(fullNameOf, { team, id: row.user_id }),
    standsIn: () => db.first(fullNameOf, { team, id: row.to_user_id }),
  });
  return { name: away?.name ?? '', toUserId: row.to_user_id, toName: standsIn?.name ?? '', from: row.starts_at, until: row.ends_at };
}
