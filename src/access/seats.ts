import { type Accounts, emailOf, forgetPerson, guestStatements, lockMembers, requireRecentSignIn, teamStatements } from '#accounts';
import { type Invitation, type OpenTeams, removeMember, type Seat, sendInvitation, teamProblems } from '#teams';
import { randomUUIDv7 } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { notFound, pathId } from '../platform/identifiers.ts';
import { principalOf, reading, writingPart } from '../platform/http/scope.ts';
import { recordAudit } from '../platform/journal/record.ts';
import { Problem, problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import type { VersionCheck, Versioned } from '../platform/versioned.ts';
import { seatChanged, seatOpened, seatRead } from './events.ts';
import * as queries from './seat-queries.ts';
import { putGrant } from './queries.ts';
import type { Auditor, AuditorBody, AuditorPatch } from './schemas.ts';

export type Seats = { accounts: Accounts; teams: OpenTeams };

/** Invites an auditor with a seat. Errors: 401 `reauthentication_required`, 403, 409, 422 `end_required`, `end_too_far`, `access_not_shareable`. */
export async function inviteAuditor(
  { accounts, teams }: Seats,
  scope: Scope,
  session: string,
  { email, endsAt, ...seat }: AuditorBody,
): Promise<Versioned<Invitation>> {
  const by = await lockOwner(scope, session);
  requirePeriod(seat);
  const end = await auditorEnd(scope, endsAt);
  await teams.checkShareable(scope, seat.things);
  return sendInvitation(accounts, scope, emailOf(email), { role: 'auditor', endsAt: end, sponsor: null, access: [], seat }, by);
}

/** Locks the members and returns the acting owner. Throws 401 `reauthentication_required`, 403. */
async function lockOwner(scope: Scope, session: string): Promise<teamStatements.MemberRow> {
  await scope.db.all(lockMembers, { team: scope.team });
  const { account_id: id } = await requireRecentSignIn(scope, session);
  const [by] = await scope.db.all(teamStatements.lockMemberRows, { team: scope.team, ids: [id] });
  if (by?.role !== 'owner') throw problems.forbidden('Only the owner of the team can invite auditors and change their seats.');
  return by;
}

function requirePeriod({ journalFrom, journalTo }: Pick<Seat, 'journalFrom' | 'journalTo'>): void {
  if (Date.parse(journalFrom) < Date.parse(journalTo)) return;
  throw problems.validation_failed('`journalTo` must be later than `journalFrom`.', {
    errors: [{ name: 'journalTo', pointer: '/journalTo', reason: 'must be later than `journalFrom`', rule: 'period' }],
  });
}

async function auditorEnd({ db }: Scope, endsAt: string | undefined): Promise<string> {
  const found = endsAt === undefined ? undefined : await db.first(guestStatements.auditorEnd, { endsAt });
  if (endsAt === undefined || !found?.is_later)
    throw teamProblems.end_required('Send `endsAt` in the future: the seat of an auditor has an end.');
  if (!found.is_within) throw teamProblems.end_too_far('`endsAt` is more than 400 days from now, which is the limit for auditors.');
  return new Date(endsAt).toISOString();
}

/**
 * Opens the seat of an auditor who has joined, and shares the resources of the invitation that the inviter may still
 * share.
 */
export async function openSeat(
  { teams }: Seats,
  { ip: _ofTheAuditor, ...scope }: Scope,
  { id, invitedBy, seat }: { id: string; invitedBy: string; seat: Seat },
): Promise<void> {
  const owner = await scope.db.first(guestStatements.inviter, { team: scope.team, id: invitedBy });
  scope.db.send(queries.insertSeat, { team: scope.team, id, ...period(seat), by: invitedBy, at: scope.now });
  if (owner?.role !== 'owner') return;
  const asOwner: Scope = { ...scope, actor: { type: 'user', id: owner.id, role: owner.role } };
  for (const thing of seat.things) if (await isShareable(teams, asOwner, thing)) await grant(asOwner, id, thing);
  await recordAudit(asOwner, seatOpened, id, { ...seat, things: seat.things.length });
}

const isShareable = (teams: OpenTeams, scope: Scope, thing: Seat['things'][number]): Promise<boolean> =>
  teams.checkShareable(scope, [thing]).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.code === 'access_not_shareable') return false;
      throw error;
    },
  );

async function grant({ db, team, actor, now: at }: Scope, id: string, { type, id: resource }: Seat['things'][number]): Promise<void> {
  const by = 'id' in actor ? actor.id : team;
  const principal = { principalType: 'user', principal: id, relations: ['viewer'], source: 'audit' } as const;
  await db.all(putGrant, { team, id: randomUUIDv7(), type, resource: resource.toLowerCase(), ...principal, by, at });
}

const period = ({ journalFrom: from, journalTo: to, mayExport }: Omit<Seat, 'things'>) => ({ from, to, mayExport });

/** The resources of a seat: it has only folders and documents. */
const thingsOf = (row: queries.SeatRow) => row.things as Seat['things'];

async function presented(scope: ReadScope | Scope, row: queries.SeatRow): Promise<Versioned<Auditor>> {
  const member = await scope.db.first(teamStatements.findMember, { team: scope.team, id: row.account_id });
  if (!member?.ends_at) throw notFound('auditor');
  const value = {
    userId: row.account_id,
    email: member.email,
    endsAt: member.ends_at,
    journalFrom: row.journal_from,
    journalTo: row.journal_to,
    mayExport: row.may_export,
    things: thingsOf(row),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Lists the auditors who have joined. */
export async function listAuditors(scope: ReadScope, page: { after: string; limit: number }): Promise<Auditor[]> {
  const rows = await scope.db.all(queries.listSeats, { team: scope.team, ...page });
  return Promise.all(rows.map(async (row) => (await presented(scope, row)).value));
}

/** Returns an auditor with the seat. Throws 404. */
export async function getAuditor(scope: ReadScope | Scope, userId: string): Promise<Versioned<Auditor>> {
  const row = await scope.db.first(queries.findSeat, { team: scope.team, id: pathId(userId, 'auditor') });
  if (!row) throw notFound('auditor');
  return presented(scope, row);
}

/** Changes the seat and the end of an auditor, effective at their next request. Throws 400, 401, 403, 404, 412, 422. */
export async function updateAuditor(
  { accounts, teams }: Seats,
  scope: Scope,
  session: string,
  userId: string,
  input: AuditorPatch,
  expect: VersionCheck,
): Promise<Versioned<Auditor>> {
  const { team } = scope;
  const id = pathId(userId, 'auditor');
  // Before the role of the caller: a seat of another team does not exist.
  await getAuditor(scope, id);
  await lockOwner(scope, session);
  const [member] = await scope.db.all(teamStatements.lockMemberRows, { team, ids: [id] });
  const kept = await scope.db.first(queries.findSeat, { team, id });
  if (!kept || !member || member.has_ended) throw notFound('auditor');
  expect(kept.version);
  const { endsAt, things = thingsOf(kept), ...given } = input;
  const seat = { journalFrom: kept.journal_from, journalTo: kept.journal_to, mayExport: kept.may_export, ...given, things };
  requirePeriod(seat);
  if (endsAt !== undefined) {
    const end = await auditorEnd(scope, endsAt);
    const { role, status } = member;
    await scope.db.first(teamStatements.updateMember, {
      team,
      id,
      role,
      status,
      endsAt: end,
      sponsor: null,
      extended: false,
      at: scope.now,
    });
    await forgetPerson(accounts, scope, id);
  }
  if (input.things !== undefined) {
    await teams.checkShareable(scope, things);
    scope.db.send(queries.dropSeatGrants, { team, id });
    for (const thing of things) await grant(scope, id, thing);
  }
  scope.db.send(queries.updateSeat, { team, id, ...period(seat), at: scope.now });
  await recordAudit(scope, seatChanged, id, { members: Object.keys(input).toSorted() });
  return getAuditor(scope, id);
}

/** Ends the seat of an auditor with their membership. Throws 401, 403, 404, 412. */
export async function endAuditor({ accounts }: Seats, scope: Scope, session: string, userId: string, expect: VersionCheck): Promise<void> {
  await getAuditor(scope, userId);
  await lockOwner(scope, session);
  expect((await getAuditor(scope, userId)).version ?? 0);
  await removeMember(accounts, scope, userId, undefined, () => undefined);
}

/**
 * Journals each request of an auditor before it runs, so that no read stays unrecorded. Exports need a seat that allows
 * them. Requests about the auditor’s own profile do not count as reads of the team.
 */
export async function watchAuditor(request: FastifyRequest): Promise<void> {
  const { principal } = request;
  const { access } = request.routeOptions.config;
  if (principal?.role !== 'auditor' || access?.kind !== 'user' || access.scope === undefined || access.scope.startsWith('profile:')) return;
  const { actor } = principalOf(request);
  if (access.exports) {
    const { db, team } = reading(request);
    if ((await db.first(queries.seatExports, { team, id: actor.id }))?.may_export !== true)
      throw problems.forbidden('Your seat allows no exports. Ask the owner of the team.');
  }
  const { id } = request.params as { id?: string };
  const read = {
    operation: `${request.method} ${request.routeOptions.url ?? ''}`,
    via: 'audit' as const,
    ...(id === undefined ? {} : { resourceId: id.slice(0, 64) }),
  };
  await writingPart(request, (scope) => recordAudit(scope, seatRead, actor.id, read));
}
