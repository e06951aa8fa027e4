import { fullNameOf, memberContact } from '#teams';
import { pipelined } from '../../../platform/database/pipelined.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import type { MailText } from '../../../platform/mail/compose.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { delegationEnded } from '../events.ts';
import { delegationEndedMail, delegationLostMail } from './mails.ts';
import * as queries from './queries.ts';

/** Why a delegation ended. */
export type Ended = 'over' | 'revoked' | 'replaced' | 'removed' | 'suspended' | 'right_lost';

/** Ends the delegation of `user`, if there is one, and notifies both members. */
export async function endDelegation(scope: Scope, user: string, reason: Ended): Promise<void> {
  const row = await scope.db.first(queries.dropDelegation, { team: scope.team, user });
  if (row) await notifyDelegationEnded(scope, row, reason);
}

/**
 * Records the end of a delegation in the journal and sends a mail to the delegate. The absent member gets a mail too, unless that member ended the
 * delegation, it expired, or a new one replaced it.
 */
export async function notifyDelegationEnded(scope: Scope, row: queries.DelegationRow, reason: Ended): Promise<void> {
  const { name, toName, ...more } = await named(scope, row);
  await recordAudit(scope, delegationEnded, row.user_id, { name, toName, ...more, reason });
  await mailMember(scope, row.to_user_id, (locale) => delegationEndedMail(locale, { name }));
  const own = 'id' in scope.actor && scope.actor.id === row.user_id;
  if (!own && reason !== 'over' && reason !== 'replaced')
    await mailMember(scope, row.user_id, (locale) => delegationLostMail(locale, { toName }));
}

/** Sends a mail to a user who is still a member. */
async function mailMember(scope: Scope, id: string, textFor: (locale: string) => MailText): Promise<void> {
  const person = await scope.db.first(memberContact, { team: scope.team, id });
  if (!person) return;
  await queueMail(scope.db, { ...textFor(person.locale), to: person.email, team: scope.team, budgeted: true, lowPriority: true });
}

/** Returns the journal data of a delegation, with the names of both members. */
export async function named({ db, team }: Scope, row: queries.DelegationRow) {
  const { away, standsIn } = await pipelined({
    away: () => db.first(fullNameOf, { team, id: row.user_id }),
    standsIn: () => db.first(fullNameOf, { team, id: row.to_user_id }),
  });
  return { name: away?.name ?? '', toUserId: row.to_user_id, toName: standsIn?.name ?? '', from: row.starts_at, until: row.ends_at };
}
