import { randomUUIDv7 } from 'node:crypto';
import { hasEnd } from '#accounts';
import { grantsEndForOwner, insideOf, isBehindBarrier, viewerOf, viewOf } from '#access';
import {
  binRoot,
  carry,
  folderProblems,
  hasHoldWithin,
  insertRoot,
  legalHoldError,
  lockedInTree,
  lockFolder,
  ownerForActor,
  readableFolder,
  updateRoot,
} from '#folders';
import { taskProblems } from '#tasks';
import { lockMember, zoneOfTeam } from '#teams';
import { violates } from '../../platform/database/errors.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import { lockSeen } from '../../platform/database/lock-tracking.ts';
import type { ChangePage } from '../../platform/database/sorted-page.ts';
import { isUuid, pathId } from '../../platform/identifiers.ts';
import { changesBetween } from '../../platform/journal/changes.ts';
import { searchParams } from '../../platform/database/list-filters.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import { isConfined, isTeamManager, type ReadScope, type Scope } from '../../platform/scope.ts';
import { cleanTitle } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { type AccessibleMatter, readableMatter, requireRight, withMatter } from './access.ts';
import { matterCreated, matterDeleted, matterUpdated } from './events.ts';
import { presentMatter } from './present.ts';
import { matterProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Filters, Matter, MatterBody, MatterPatch } from './schemas.ts';

/** Returns a page of the matters that the actor may see, as JSON text from the database. */
export async function listMatters(scope: ReadScope, filters: Filters, { sort, ...page }: ChangePage): Promise<ListPage | undefined> {
  const { status = null, clientId: client = null, responsibleId: person = null } = filters;
  if (![client, person].every((id) => id === null || isUuid(id))) return undefined;
  const lists = queries.listMatters[viewOf(scope.actor)];
  return scope.db.first(lists[sort], {
    team: scope.team,
    ...viewerOf(scope.actor),
    status,
    client,
    responsible: person,
    ...searchParams(filters),
    ...page,
  });
}

/** Returns a matter that the actor may read. Errors: 404. */
export async function getMatter(scope: ReadScope | Scope, id: string): Promise<Versioned<Matter>> {
  const found = await readableMatter(scope, id);
  return { value: presentMatter(found), version: found.root.version };
}

/**
 * Creates a matter. Its responsible person owns it: the actor, or the owner of the team for an API client. Errors: 403, 404 `member_not_found`, 409
 * `matter_number_taken`, 422 `matter_client_not_found`.
 */
export async function createMatter(scope: Scope, input: MatterBody): Promise<Versioned<Matter>> {
  const { db, team, actor, now: at } = scope;
  if (actor.type === 'system') throw new Error('a matter needs a creator');
  if (isConfined(actor)) throw problems.forbidden('This API client is confined to folders and cannot create matters.');
  const name = cleanTitle(input.name);
  const user = await responsible(scope, input.responsibleId);
  const id = randomUUIDv7();
  const opened = input.openedOn === undefined && input.status !== 'pending' ? await today(scope) : (input.openedOn ?? null);
  const client = await clientNamed(scope, input.clientId ?? null);
  db.send(insertRoot, { team, id, user, by: actor.id, byType: actor.type, name, at });
  const members = { client, status: input.status ?? 'open', practice: input.practice ?? null, openedOn: opened };
  const number = input.number === undefined ? await freeNumber(scope) : cleanTitle(input.number, 'number');
  const row = { team, id, ...members, number, key: number.toLowerCase(), fields: JSON.stringify(input.fields ?? {}) };
  await db.all(queries.insertMatter, row).catch(numberTaken);
  await record(scope, matterCreated, id, { number, name, ...(client === null ? {} : { clientId: client }) }, false);
  return getMatter(scope, id);
}

/** Changes the given members. Errors: 403, 404, 409 `matter_closed`, `matter_number_taken`, 412, 422 `outside_barrier`. */
export async function updateMatter(scope: Scope, id: string, input: MatterPatch, expect: VersionCheck): Promise<Versioned<Matter>> {
  const { db, team, now: at } = scope;
  const found = await (input.responsibleId === undefined ? lockedMatter(scope, id) : treeLockedMatter(scope, id));
  const { matter, root, access } = found;
  requireRight(found, 'edit');
  expect(root.version);
  requireOpen(matter);
  const user = input.responsibleId === undefined ? root.user_id : await successor(scope, found, input.responsibleId);
  const name = input.name === undefined ? root.name : cleanTitle(input.name);
  const number = input.number === undefined ? matter.number : cleanTitle(input.number, 'number');
  const client = input.clientId === undefined ? matter.client_id : await clientNamed(scope, input.clientId);
  const practice = input.practice === undefined ? matter.practice : input.practice;
  const openedOn = input.openedOn === undefined ? matter.opened_on : input.openedOn;
  const status = input.status ?? matter.status;
  const fields = input.fields ?? matter.fields;
  const changes = {
    ...changesBetween(
      { name: root.name, number: matter.number, status: matter.status, practice: matter.practice, openedOn: matter.opened_on },
      { name, number, status, practice, openedOn },
    ),
    ...changesBetween({ clientId: matter.client_id, responsibleId: root.user_id }, { clientId: client, responsibleId: user }),
    // The values are the callers’ own data, so the journal records only that they changed.
    ...(JSON.stringify(fields) === JSON.stringify(matter.fields) ? {} : { fields: {} }),
  };
  const row = { team, id: root.id, client, number, key: number.toLowerCase(), status, practice, openedOn, fields: JSON.stringify(fields) };
  await db.all(queries.updateMatter, row).catch(numberTaken);
  db.send(updateRoot, { team, id: root.id, name, at });
  if (user !== root.user_id) {
    await carry(scope, root.id, { user, from: root.barrier_id, to: root.barrier_id });
    grantsEndForOwner(scope, 'folder', [root], user);
  }
  const said = { number, name, ...(client === null ? {} : { clientId: client }), ...access.byRole('edit') };
  await record(scope, matterUpdated, root.id, { ...said, changes }, isBehindBarrier(root.barrier_id));
  // The former responsible person may have lost access by this change.
  return getMatter({ ...scope, actor: { type: 'system' } }, root.id);
}

/** Deletes an empty matter. Errors: 403, 404, 409 `legal_hold_active`, `matter_not_empty`, `matter_retained`, 412. */
export async function deleteMatter(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  const { db, team, now: at } = scope;
  const found = await treeLockedMatter(scope, id);
  const { matter, root, access } = found;
  requireRight(found, 'manage');
  expect(root.version);
  const of = { team, id: root.id };
  const empty = await db.locked(queries.lockMatter, of, () => db.first(queries.isEmpty, of));
  if (empty?.empty !== true)
    throw matterProblems.matter_not_empty('The matter has content, work or things in the bin. Move them out, or close the matter instead.');
  if (matter.retain_until !== null && matter.retain_until >= (await today(scope)))
    throw matterProblems.matter_retained(`The matter is kept until ${matter.retain_until}. Delete it after that day.`);
  if ((await db.first(hasHoldWithin, of))?.on_hold !== false) throw legalHoldError('this matter');
  db.send(queries.deleteMatter, of);
  db.send(binRoot, { ...of, at });
  const said = { number: matter.number, name: root.name, ...access.byRole('manage') };
  await recordAudit(scope, matterDeleted, root.id, said, isBehindBarrier(root.barrier_id));
}

/** Locks a matter that the actor may read. Errors: 404. */
export async function lockedMatter(scope: Scope, id: string): Promise<AccessibleMatter> {
  const of = { team: scope.team, id: pathId(id, 'matter') };
  return withMatter(scope, await lockSeen(scope.db, lockFolder, of, () => readableFolder(scope, of.id, 'matter')));
}

/** Locks the trees and a matter that the actor may read. Errors: 404. */
export const treeLockedMatter = async (scope: Scope, id: string): Promise<AccessibleMatter> =>
  withMatter(scope, await lockedInTree(scope, id, 'matter'));

/** Requires that a matter is not closed. Errors: 409 `matter_closed`. */
export function requireOpen({ status }: Pick<queries.MatterRow, 'status'>): void {
  if (status === 'closed')
    throw folderProblems.matter_closed('The matter is closed, so its content is read-only. Reopen the matter first.');
}

/** Returns the current day in the time zone of the team. */
export async function today({ db, team, now }: Pick<Scope, 'db' | 'team' | 'now'>): Promise<string> {
  const zone = (await db.first(zoneOfTeam, { team }))?.time_zone ?? 'UTC';
  return Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** Returns the responsible person of a new matter. Errors: 403, 404 `member_not_found`. */
async function responsible(scope: Scope, given: string | undefined): Promise<string> {
  const own = await ownerForActor(scope);
  if (given === undefined || given.toLowerCase() === own) return own;
  if (scope.actor.type === 'user' && !isTeamManager(scope.actor))
    throw problems.forbidden(
      'Only the owner and administrators of the team can name another responsible person. Create the matter for yourself, or ask one of them.',
    );
  return member(scope, given);
}

/** Returns the new responsible person of a matter, who must be inside its barrier. Errors: 403, 404 `member_not_found`, 422 `outside_barrier`. */
async function successor(scope: Scope, found: AccessibleMatter, given: string): Promise<string> {
  const { db, team } = scope;
  if (given.toLowerCase() === found.root.user_id) return found.root.user_id;
  requireRight(found, 'share');
  const user = await member(scope, given);
  const [inside] = await db.all(insideOf, { team, container: found.root.id, users: [user], when: 'permanently' });
  if (!inside)
    throw taskProblems.outside_barrier(
      'A barrier of the matter excludes this person. Add them to the barrier first, or name another member.',
    );
  return user;
}

async function member({ db, team }: Scope, id: string): Promise<string> {
  const found = isUuid(id) ? await db.first(lockMember, { team, id: id.toLowerCase() }) : undefined;
  if (!found || hasEnd(found.role))
    throw problems.member_not_found(
      '`responsibleId` must name an active member of your team, who is not a guest or auditor. List the members and choose another.',
    );
  return found.id;
}

async function clientNamed({ db, team }: Scope, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const found = isUuid(id) ? await db.first(queries.findClient, { team, id: id.toLowerCase() }) : undefined;
  if (!found)
    throw matterProblems.matter_client_not_found('`clientId` must name a client of your team. List the clients and check the identifier.');
  return found.id;
}

/** Automatic numbers that a person already used are skipped. */
const maxTries = 1_000;

/** Returns the next free number of the year, such as `2026-0001`. */
async function freeNumber(scope: Scope): Promise<string> {
  const { db, team } = scope;
  const year = Number((await today(scope)).slice(0, 4));
  for (let tries = 0; tries < maxTries; tries += 1) {
    const next = await db.first(queries.nextNumber, { team, year });
    const number = `${year}-${String(next?.last ?? 0).padStart(4, '0')}`;
    if (!(await db.first(queries.numberIsTaken, { team, key: number }))) return number;
  }
  throw numberIsTaken();
}

const numberIsTaken = () =>
  matterProblems.matter_number_taken('Another matter of your team has this number. Choose another number, or omit it.');
function numberTaken(error: unknown): never {
  throw violates(error, 'matter_number_once') ? numberIsTaken() : error;
}
