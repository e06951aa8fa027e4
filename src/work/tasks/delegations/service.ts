import { activeMember, memberContact } from '#teams';
import type { ListPage } from '../../../platform/database/json-page.ts';
import { notFound, pathId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import { problems } from '../../../platform/problems.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../../platform/versioned.ts';
import { requireMembers } from '../assignees.ts';
import { delegationSet } from '../events.ts';
import { endDelegation, named, notifyDelegationEnded } from './ending.ts';
import { timeDelegation } from './jobs.ts';
import { delegationMail } from './mails.ts';
import * as queries from './queries.ts';
import type { Delegation, DelegationBody } from './schemas.ts';

const dayMs = 86_400_000;
const maxDays = 90;
const maxAhead = 365;

function present(row: queries.DelegationRow): Versioned<Delegation> {
  const value = {
    userId: row.user_id,
    toUserId: row.to_user_id,
    from: row.starts_at,
    until: row.ends_at,
    ...(row.kinds === null ? {} : { kinds: row.kinds }),
    openTasks: row.open_tasks,
    givenBy: row.given_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Resolves the member in a path: `me` is the caller. */
function userOf({ actor }: ReadScope | Scope, given: string): string {
  return given === 'me' && actor.type === 'user' ? actor.id : pathId(given, 'delegation');
}

/** Lists the delegations in which the actor is the absent member or the delegate. Owner and administrators see all of the team. */
export async function listDelegations(
  { db, team, actor, now }: ReadScope,
  page: { after: string | undefined; limit: number },
): Promise<ListPage | undefined> {
  const principalId = isTeamManager(actor) || !('id' in actor) ? null : actor.id;
  return db.first(queries.listDelegations, {
    team,
    principalId,
    now,
    limit: page.limit,
    after: page.after ?? '00000000-0000-0000-0000-000000000000',
  });
}

/** Returns the delegation of a member. Both members, owner and administrators may read it. Errors: 404. */
export async function getDelegation(scope: ReadScope, given: string): Promise<Versioned<Delegation>> {
  const { db, team, actor, now } = scope;
  const row = await db.first(queries.findDelegation, { team, user: userOf(scope, given) });
  const theirs = row && 'id' in actor && [row.user_id, row.to_user_id].includes(actor.id);
  if (!row || Date.parse(row.ends_at) <= now.getTime() || !(theirs || isTeamManager(actor))) throw notFound('delegation');
  return present(row);
}

/**
 * Sets the delegate of an absent member and replaces the previous delegation. New tasks go to the delegate; with `openTasks`, open tasks too. Errors:
 * 400, 403, 404, 412, 422 `assignee_not_found`.
 */
export async function putDelegation(
  scope: Scope,
  given: string,
  input: DelegationBody,
  expect: VersionCheck,
): Promise<Versioned<Delegation>> {
  const { db, team, actor, now } = scope;
  const user = await changeable(scope, given);
  const to = input.toUserId.toLowerCase();
  const from = input.from === undefined ? now : new Date(Math.max(Date.parse(input.from), now.getTime()));
  const until = new Date(input.until);
  requireSpan(user, to, { from, until, now });
  await requireMembers(scope, [user, to]);
  const before = await db.first(queries.lockDelegation, { team, user });
  expect(before?.version ?? 0);
  if (actor.type === 'system') throw problems.forbidden('Only a user can set a delegate. Sign in and try again.');
  const said = { to, from, until, kinds: input.kinds ?? null, openTasks: input.openTasks ?? false };
  const row = await db.first(queries.putDelegation, { team, user, ...said, by: actor.id, at: now });
  if (!row) throw new Error('the upsert of the delegation returned no row');
  if (before && before.to_user_id !== to) await notifyDelegationEnded(scope, before, 'replaced');
  const { kinds, openTasks } = said;
  await recordAudit(scope, delegationSet, user, { ...(await named(scope, row)), ...(kinds === null ? {} : { kinds }), openTasks });
  await notifyBoth(scope, row);
  timeDelegation(scope, row);
  return present(row);
}

/** Ends a delegation. The delegate keeps the assigned tasks until the member takes them back. Errors: 403, 404, 412. */
export async function revokeDelegation(scope: Scope, given: string, expect: VersionCheck): Promise<void> {
  const user = await changeable(scope, given);
  const row = await scope.db.first(queries.lockDelegation, { team: scope.team, user });
  if (!row) throw notFound('delegation');
  expect(row.version);
  await endDelegation(scope, user, 'revoked');
}

/** Returns the member whose delegation the actor may change: the actor, or for owner and administrators any member. Errors: 403, 404. */
async function changeable(scope: Scope, given: string): Promise<string> {
  const { db, team, actor } = scope;
  const user = userOf(scope, given);
  if ('id' in actor && actor.id === user) return user;
  if (!isTeamManager(actor))
    throw problems.forbidden('You can change only your own delegation. Ask an owner or administrator to change this one.');
  if (!(await db.first(activeMember, { team, id: user }))) throw notFound('delegation');
  return user;
}

function requireSpan(user: string, to: string, { from, until, now }: { from: Date; until: Date; now: Date }): void {
  const wrong = (name: string, reason: string) =>
    problems.validation_failed(`\`${name}\` ${reason}.`, { errors: [{ name, pointer: `/${name}`, reason, rule: 'range' }] });
  if (to === user) throw wrong('toUserId', 'must not be the absent member');
  if (from.getTime() - now.getTime() > maxAhead * dayMs) throw wrong('from', `must be at most ${maxAhead} days ahead`);
  const span = until.getTime() - from.getTime();
  if (!(span > 0 && span <= maxDays * dayMs)) throw wrong('until', `must be after the start, by at most ${maxDays} days`);
}

/** Sends mails to the delegate and the absent member, except to the actor. */
async function notifyBoth(scope: Scope, row: queries.DelegationRow): Promise<void> {
  const { name, toName } = await named(scope, row);
  const data = { name, toName, from: row.starts_at, until: row.ends_at };
  const others = [row.to_user_id, row.user_id].filter((id) => !('id' in scope.actor && scope.actor.id === id));
  for (const id of others) {
    const person = await scope.db.first(memberContact, { team: scope.team, id });
    if (!person) continue;
    const mail = delegationMail(person, id === row.to_user_id ? 'to the delegate' : 'to the absent member', data);
    await queueMail(scope.db, { ...mail, to: person.email, team: scope.team, budgeted: true, lowPriority: true });
  }
}
