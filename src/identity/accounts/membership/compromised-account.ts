import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { accountMail } from '../mails.ts';
import * as queries from '../two-factor/queries.ts';
import type { Lost, OrphanedResource } from './orphaned-resources.ts';

/**
 * Finds what a person of the team of the scope has made, and does what has to be done about it, in the transaction of the
 * loss. Given by whoever puts the parts together: accounts know nothing of what people make.
 */
export type MadeBy = (scope: Scope, account: string, why: Lost) => Promise<OrphanedResource[]>;

/**
 * To be called while a person's name is still there, when they leave the team, are suspended or deleted (`gone`), are made less than an
 * administrator (`lowered`), or get a password by mail or lose their second factor through staff (`reset`): whoever had their account may know what they know.
 * The owner is told what they have made.
 */
export async function lose({ madeBy }: { madeBy: readonly MadeBy[] }, scope: Scope, account: string, why: Lost): Promise<void> {
  const made: OrphanedResource[] = [];
  // One after the other: each locks what it finds.
  for (const find of madeBy) made.push(...(await find(scope, account, why)));
  if (made.length === 0) return;
  const owner = await scope.db.first(queries.ownerContactFor, { team: scope.team, account });
  if (!owner) return;
  const about = { person: owner.person ?? '–', why, made };
  await queueMail(scope.db, { to: owner.email, team: scope.team, ...accountMail(owner.locale, 'orphaned', owner.first_name, about) });
}
