import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { accountMail } from '../mails.ts';
import * as queries from '../two-factor/queries.ts';
import type { Lost, OrphanedResource } from './orphaned-resources.ts';

/**
 * Finds resources of a user in the scope’s team and secures them, in the same transaction. Other domains provide these functions, because the domain
 * accounts has no access to their resources.
 */
export type MadeBy = (scope: Scope, account: string, why: Lost) => Promise<OrphanedResource[]>;

/**
 * Secures the resources of a user, because an attacker with the account may know their secrets, and reports the resources to the owner. Call it
 * before the name of the user is erased, because the report contains it. `why`:
 *
 * - `gone`: the user leaves the team, is suspended or is deleted.
 * - `lowered`: the user is no longer an administrator.
 * - `reset`: the user gets a password by mail, or staff remove their second factor.
 */
export async function lose({ madeBy }: { madeBy: readonly MadeBy[] }, scope: Scope, account: string, why: Lost): Promise<void> {
  const made: OrphanedResource[] = [];
  // Sequentially, because each function locks the rows that it finds.
  for (const find of madeBy) made.push(...(await find(scope, account, why)));
  if (made.length === 0) return;
  const owner = await scope.db.first(queries.ownerContactFor, { team: scope.team, account });
  if (!owner) return;
  const about = { person: owner.person ?? '–', why, made };
  await queueMail(scope.db, { to: owner.email, team: scope.team, ...accountMail(owner.locale, 'orphaned', owner.first_name, about) });
}
