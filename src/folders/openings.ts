import { fullNameOf } from '#teams';
import { randomUUIDv7 } from 'node:crypto';
import { notFound, pathId } from '../platform/identifiers.ts';
import { recordAct } from '../platform/journal/record.ts';
import { queueMail } from '../platform/mail/queue.ts';
import { problems } from '../platform/problems.ts';
import { byRoleAlone } from '../platform/reasons.ts';
import { type ReadScope, runsTeam, type Scope } from '../platform/scope.ts';
import { type Looking, type Reached, visibleFolder } from './access.ts';
import { glassAsked, glassBroken } from './events.ts';
import { glassMail } from './mails.ts';
import { mayConsent } from './policy.ts';
import { folderProblems } from './problems.ts';
import type { Opening } from './schemas.ts';
import { insideOf } from './share-queries.ts';
import * as queries from './wall-queries.ts';
import { ownerIsInside } from './walls.ts';
import { inOrder, together } from '../platform/database/together.ts';

/** Hours that a request waits for consent, and that the glass stays broken then. */
const openHours = 24;
/** Requests of one administrator for one wall in 24 hours: each is told by mail. */
const mostRequests = 5;

/**
 * Asks, as an administrator, to be let in behind a wall. Who is inside, and who may consent, are told by mail. A request keeps the
 * reason it was told with: another reason is another request, which ends the one before. Errors: 403, 404, 409.
 */
export async function askOpening(scope: Scope, id: string, given: string): Promise<Opening> {
  const { actor } = scope;
  const { folder: walled } = await walledFolder(scope, id);
  if (actor.type !== 'user' || !runsTeam(actor)) throw problems.forbidden('Only an administrator may ask to break the glass of a wall.');
  const of = { team: scope.team, folder: walled.id, user: actor.id };
  const {
    reached: { folder, access },
    recent,
  } = await scope.db.locked(queries.lockWall, of, () =>
    together({
      reached: () => walledFolder(scope, of.folder),
      recent: () => scope.db.all(queries.recentOpenings, of),
    }),
  );
  if (access.level !== 'name') throw folderProblems.opening_decided('You are inside of this wall: there is no glass to break.');
  const reason = given.trim();
  const waiting = recent.find((one) => one.consented_by === null && !one.over && one.reason === reason);
  if (waiting) return present(waiting);
  if (recent.length >= mostRequests)
    throw folderProblems.openings_exhausted(`You have asked ${mostRequests} times in 24 hours. Speak with those who may consent.`);
  await scope.db.all(queries.endRequests, of);
  const made = await scope.db.first(queries.askOpening, { ...of, id: randomUUIDv7(), reason, hours: openHours });
  if (!made) throw notFound('wall');
  await inOrder([
    () => recordAct(scope, glassAsked, folder.id, { openingId: made.id, reason: made.reason, ...byRoleAlone }),
    () => tell(scope, 'asked', folder, made),
  ]);
  return present(made);
}

/** The requests of a wall, the newest first: for administrators, and for its folder's owner inside. */
export async function listOpenings(scope: ReadScope, id: string): Promise<Opening[]> {
  const { folder, access } = await walledFolder(scope, id);
  const owns = scope.actor.type === 'user' && scope.actor.id === folder.user_id && access.level === 'all';
  if (!owns && !runsTeam(scope.actor))
    throw problems.forbidden('Only administrators and the owner of the folder see who asked to be let in.');
  return (await scope.db.all(queries.listOpenings, { team: scope.team, folder: folder.id })).map(present);
}

/** Consents to another's request: for 24 hours they are inside. Those inside are told at once. Errors: 403 for one's own, 409. */
export async function consentToOpening(scope: Scope, id: string, openingId: string): Promise<Opening> {
  const { folder } = await walledFolder(scope, id);
  const of = { team: scope.team, folder: folder.id, id: pathId(openingId, 'opening') };
  // The wall before the request, as whoever takes the wall down takes the two.
  const asked = await scope.db.locked(queries.holdAsker, of, () =>
    scope.db.locked(queries.lockWall, of, () => scope.db.first(queries.lockOpening, of)),
  );
  if (!asked) throw notFound('opening');
  const facts = { asker: asked.user_id, folderOwner: folder.user_id, ownerIsInside: await ownerIsInside(scope, folder) };
  const { actor } = scope;
  if (actor.type !== 'user' || !mayConsent(actor, facts))
    throw problems.forbidden('It takes another administrator, or the owner of the folder, to consent: two persons in all.');
  if (asked.consented_by !== null) throw folderProblems.opening_decided('Somebody has consented to this request already.');
  const opened = await scope.db.first(queries.consentOpening, {
    team: scope.team,
    id: asked.id,
    by: actor.id,
    at: scope.now,
    hours: openHours,
  });
  if (!opened)
    throw folderProblems.opening_decided('Nobody consented in 24 hours, or who asked is no administrator any more. The request is over.');
  scope.db.send(queries.letIn, { team: scope.team, id: asked.id });
  await inOrder([
    () =>
      recordAct(scope, glassBroken, folder.id, {
        openingId: opened.id,
        userId: opened.user_id,
        reason: opened.reason,
        until: opened.until,
        ...(actor.id === folder.user_id ? {} : byRoleAlone),
      }),
    () => tell(scope, 'broken', folder, opened),
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
  const { people, asker } = await together({
    people: () => scope.db.all(queries.wallPeople, { team: scope.team, folder: folder.id, managers: kind === 'asked', but: id }),
    asker: () => scope.db.first(fullNameOf, { team: scope.team, id }),
  });
  // Of a wall within another nobody hears who is outside of that one: to them the folder is not there.
  const users = people.map(({ id: one }) => one);
  const seeing =
    folder.parent_id === null
      ? users
      : (await scope.db.all(insideOf, { team: scope.team, id: folder.parent_id, users, when: 'now' })).map(({ id: one }) => one);
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
  const status = row.over ? 'over' : row.consented_by === null ? 'asked' : 'open';
  return { id, folderId, userId, reason, status, askedAt, ...decided };
}
