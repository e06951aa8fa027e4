import { barriers, type EmergencyRow } from '#access';
import { fullNameOf } from '#teams';
import { randomUUIDv7 } from 'node:crypto';
import { pipelined } from '../../platform/database/pipelined.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { recordAudit } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { problems } from '../../platform/problems.ts';
import { roleOnly } from '../../platform/access-reason.ts';
import { type AccessContext, type ReadScope, isTeamManager, type Scope } from '../../platform/scope.ts';
import { type BarrierRow, findVisibleBarrier } from './queries.ts';
import { emergencyAccessGranted, emergencyAccessRequested } from './events.ts';
import { barrierMail } from './mails.ts';
import { folderProblems } from './problems.ts';
import type { EmergencyAccess } from './schemas.ts';

/** Hours until a request expires, and hours of access after the approval. */
const hours = 24;
/** Maximum requests of one administrator for one barrier in 24 hours. Each request sends mails. */
const maxRequests = 5;

/**
 * Requests read access to a barrier that excludes the calling administrator. Members and possible approvers get a mail. A request with the same
 * reason returns the pending request; another reason replaces it. Errors: 403, 404, 409 `emergency_access_decided`, `emergency_access_exhausted`.
 */
export async function requestEmergencyAccess(scope: Scope, id: string, given: string): Promise<EmergencyAccess> {
  const { actor, team } = scope;
  const barrier = await seenBarrier(scope, id);
  if (actor.type !== 'user' || !isTeamManager(actor))
    throw problems.forbidden('Only the owner and administrators of the team may request emergency access. Ask one of them.');
  const of = { team, barrier: barrier.id, user: actor.id };
  const { now, recent } = await scope.db.locked(barriers.lockBarrier, of, () =>
    pipelined({
      now: () => seenBarrier(scope, of.barrier),
      recent: () => scope.db.all(barriers.recentRequests, of),
    }),
  );
  if (now.is_inside)
    throw folderProblems.emergency_access_decided('You are already a member of this barrier or already have emergency access.');
  const reason = given.trim();
  const waiting = recent.find((one) => one.approved_by === null && !one.is_over && one.reason === reason);
  if (waiting) return present(waiting);
  if (recent.length >= maxRequests)
    throw folderProblems.emergency_access_exhausted(
      `You sent ${maxRequests} requests in 24 hours. Contact the administrators who may approve.`,
    );
  await scope.db.all(barriers.endRequests, of);
  const made = await scope.db.first(barriers.insertRequest, { ...of, id: randomUUIDv7(), reason, hours });
  if (!made) throw notFound('barrier');
  await pipelined([
    () => recordAudit(scope, emergencyAccessRequested, barrier.id, { emergencyAccessId: made.id, reason: made.reason, ...roleOnly }),
    () => notify(scope, 'requested', now, made),
  ]);
  return present(made);
}

/**
 * Lists the requests for a barrier, newest first. The team’s managers can do this, and the owner of the folder if the owner is a member. Errors: 403,
 * 404.
 */
export async function listEmergencyAccess(scope: ReadScope, id: string): Promise<EmergencyAccess[]> {
  const barrier = await seenBarrier(scope, id);
  if (!isTeamManager(scope.actor) && !isOwnerInside(scope, barrier))
    throw problems.forbidden(
      'Only administrators and the owner of the folder may list the requests for emergency access. Ask one of them.',
    );
  return (await scope.db.all(barriers.listRequests, { team: scope.team, barrier: barrier.id })).map(present);
}

/** Approves the request of another person, who may then read for 24 hours. Members get a mail. Errors: 403 for the actor’s own request, 404, 409. */
export async function approveEmergencyAccess(scope: Scope, id: string, requestId: string): Promise<EmergencyAccess> {
  const barrier = await seenBarrier(scope, id);
  const of = { team: scope.team, barrier: barrier.id, id: pathId(requestId, 'emergency access') };
  // Locks the barrier before the request, in the same order as lifting a barrier does.
  const request = await scope.db.locked(barriers.lockRequester, of, () =>
    scope.db.locked(barriers.lockBarrier, of, () => scope.db.first(barriers.lockRequest, of)),
  );
  if (!request) throw notFound('emergency access');
  const { actor } = scope;
  if (actor.type !== 'user' || actor.id === request.user_id || !(isTeamManager(actor) || isOwnerInside(scope, barrier)))
    throw problems.forbidden('Only another administrator or the owner of the folder may approve emergency access. Ask one of them.');
  if (request.approved_by !== null) throw folderProblems.emergency_access_decided('This request is already approved.');
  const opened = await scope.db.first(barriers.approveRequest, { team: scope.team, id: request.id, by: actor.id, at: scope.now, hours });
  if (!opened)
    throw folderProblems.emergency_access_decided(
      'The request expired after 24 hours, or the requester is no longer an administrator. An administrator can send a new request.',
    );
  scope.db.send(barriers.addEmergencyMember, { team: scope.team, id: request.id });
  await pipelined([
    () =>
      recordAudit(scope, emergencyAccessGranted, barrier.id, {
        emergencyAccessId: opened.id,
        userId: opened.user_id,
        reason: opened.reason,
        until: opened.expires_at,
        ...(actor.id === barrier.user_id ? {} : roleOnly),
      }),
    () => notify(scope, 'granted', barrier, opened),
  ]);
  return present(opened);
}

/** Returns a barrier for its members and the team’s managers, unless an outer barrier excludes them. Errors: 404. */
async function seenBarrier({ db, team, actor }: AccessContext, given: string): Promise<BarrierRow> {
  const id = pathId(given, 'barrier');
  const row = actor.type === 'user' ? await db.first(findVisibleBarrier, { team, user: actor.id, id }) : undefined;
  if (row && (row.is_inside || isTeamManager(actor))) return row;
  throw notFound('barrier');
}

const isOwnerInside = ({ actor }: AccessContext, { user_id: owner, is_member: isMember }: BarrierRow): boolean =>
  actor.type === 'user' && actor.id === owner && isMember;

/** Mails the members of a barrier and administrators that the successor of its last member is now a member. */
export async function notifyOfSuccessor(scope: Scope, id: string, user: string): Promise<void> {
  const barrier = await scope.db.first(findVisibleBarrier, { team: scope.team, user, id });
  if (barrier) await notify(scope, 'succeeded', barrier, { user_id: user, reason: '' });
}

async function notify(
  scope: Scope,
  kind: Parameters<typeof barrierMail>[0],
  barrier: BarrierRow,
  { user_id: id, reason }: Pick<EmergencyRow, 'user_id' | 'reason'>,
): Promise<void> {
  const { people, requester } = await pipelined({
    people: () =>
      scope.db.all(barriers.barrierPeople, {
        team: scope.team,
        barrier: barrier.id,
        around: barrier.parent_id,
        managers: kind !== 'granted',
        but: id,
      }),
    requester: () => scope.db.first(fullNameOf, { team: scope.team, id }),
  });
  const about = { who: requester?.name ?? '', folder: barrier.name, reason };
  await Promise.all(
    people.map(({ email, locale }) => queueMail(scope.db, { to: email, team: scope.team, ...barrierMail(kind, locale, about) })),
  );
}

function present(row: EmergencyRow): EmergencyAccess {
  const { id, barrier_id: barrierId, user_id: userId, reason, requested_at: requestedAt } = row;
  const decided =
    row.approved_by === null || row.approved_at === null || row.expires_at === null
      ? {}
      : { approvedBy: row.approved_by, approvedAt: row.approved_at, expiresAt: row.expires_at };
  const status = row.is_over ? 'expired' : row.approved_by === null ? 'requested' : 'active';
  return { id, barrierId, userId, reason, status, requestedAt, ...decided };
}
