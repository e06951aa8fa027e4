import { randomUUIDv7 } from 'node:crypto';
import { notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { type Looking, type Reached, visibleFolder } from './access.ts';
import { glassAsked, glassBroken } from './events.ts';
import { glassMail } from './mails.ts';
import { isManager, mayConsent } from './policy.ts';
import { folderProblems } from './problems.ts';
import type { Opening } from './schemas.ts';
import { insideOf } from './share-queries.ts';
import * as queries from './wall-queries.ts';
import { ownerIsInside } from './walls.ts';

/** Hours that the glass stays broken. */
const openHours = 24;

/** Asks, as an administrator, to be let in behind a wall. Who is inside, and who may consent, are told by mail. */
export async function askOpening(scope: Scope, id: string, reason: string): Promise<Opening> {
  const { folder, access } = await walledFolder(scope, id);
  const { actor } = scope;
  if (actor.type !== 'user' || !isManager(actor)) throw problems.forbidden('Only an administrator may ask to break the glass of a wall.');
  if (access.level !== 'name') throw folderProblems.opening_decided('You are inside of this wall: there is no glass to break.');
  const made = await scope.db.first(queries.askOpening, {
    team: scope.team,
    id: randomUUIDv7(),
    folder: folder.id,
    user: actor.id,
    reason: reason.trim(),
    at: scope.now,
  });
  if (!made) throw notFound('wall');
  await Promise.all([
    recordAct(scope, glassAsked, folder.id, { openingId: made.id, reason: made.reason }),
    made.fresh ? tell(scope, 'asked', folder, made) : undefined,
  ]);
  return present(made);
}

/** The requests of a wall, the newest first: for administrators, and for its folder's owner inside. */
export async function listOpenings(scope: ReadScope, id: string): Promise<Opening[]> {
  const { folder, access } = await walledFolder(scope, id);
  const owns = scope.actor.type === 'user' && scope.actor.id === folder.user_id && access.level === 'all';
  if (!owns && !isManager(scope.actor))
    throw problems.forbidden('Only administrators and the owner of the folder see who asked to be let in.');
  return (await scope.db.all(queries.listOpenings, { team: scope.team, folder: folder.id })).map(present);
}

/** Consents to another's request: for 24 hours they are inside. Those inside are told at once. Errors: 403 for one's own, 409. */
export async function consentToOpening(scope: Scope, id: string, openingId: string): Promise<Opening> {
  const { folder } = await walledFolder(scope, id);
  const asked = await scope.db.first(queries.lockOpening, { team: scope.team, folder: folder.id, id: pathId(openingId, 'opening') });
  if (!asked) throw notFound('opening');
  const facts = { asker: asked.user_id, folderOwner: folder.user_id, ownerIsInside: await ownerIsInside(scope, folder) };
  if (scope.actor.type !== 'user' || !mayConsent(scope.actor, facts))
    throw problems.forbidden('It takes another administrator, or the owner of the folder, to consent: two persons in all.');
  if (asked.consented_by !== null) throw folderProblems.opening_decided('Somebody has consented to this request already.');
  const opened = await scope.db.first(queries.consentOpening, {
    team: scope.team,
    id: asked.id,
    by: scope.actor.id,
    at: scope.now,
    hours: openHours,
  });
  if (!opened) throw notFound('opening');
  await Promise.all([
    scope.db.all(queries.letIn, { team: scope.team, id: asked.id }),
    recordAct(scope, glassBroken, folder.id, { openingId: opened.id, userId: opened.user_id, reason: opened.reason, until: opened.until }),
    tell(scope, 'broken', folder, opened),
  ]);
  return present(opened);
}

async function walledFolder(scope: Looking, id: string): Promise<Reached> {
  const found = await visibleFolder(scope, id);
  if (found.folder.wall_id !== found.folder.id) throw notFound('wall');
  return found;
}

async function tell(
  scope: Scope,
  kind: 'asked' | 'broken',
  folder: { id: string; name: string; parent_id: string | null },
  { user_id: id, reason }: queries.OpeningRow,
): Promise<void> {
  const [people, asker] = await Promise.all([
    scope.db.all(queries.wallPeople, { team: scope.team, folder: folder.id, managers: kind === 'asked', but: id }),
    scope.db.first(queries.nameOf, { team: scope.team, id }),
  ]);
  // Of a wall within another nobody hears who is outside of that one: to them the folder is not there.
  const users = people.map(({ id: one }) => one);
  const seeing =
    folder.parent_id === null
      ? users
      : (await scope.db.all(insideOf, { team: scope.team, id: folder.parent_id, users })).map(({ id: one }) => one);
  const told = people.filter(({ id: one }) => seeing.includes(one));
  const about = { who: asker?.name ?? '', folder: folder.name, reason };
  await Promise.all(
    told.map(({ email, locale }) => queueMail(scope.db, { to: email, team: scope.team, ...glassMail(kind, locale, about) })),
  );
}

function present(row: queries.OpeningRow): Opening {
  const { id, folder_id: folderId, user_id: userId, reason, asked_at: askedAt } = row;
  const decided =
    row.consented_by === null || row.consented_at === null || row.until === null
      ? {}
      : { consentedBy: row.consented_by, consentedAt: row.consented_at, until: row.until };
  const status = row.consented_by === null ? 'asked' : row.over ? 'over' : 'open';
  return { id, folderId, userId, reason, status, askedAt, ...decided };
}
