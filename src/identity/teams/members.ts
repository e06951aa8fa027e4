import {
  type Accounts,
  emitMemberLeft,
  endMemberSessions,
  endMembership,
  ensureTeam,
  forgetPerson,
  hasEnd,
  lockMembers,
  lose,
  ownerOfTeam,
  requireRecentSignIn,
  teamStatements,
  parseEmail,
} from '#accounts';
import { type ListSearch, searchParams } from '../../platform/database/list-filters.ts';
import type { ChangePage, Placed } from '../../platform/database/sorted-page.ts';
import { scopeMissing } from '../../platform/http/authenticate.ts';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { problems } from '../../platform/problems.ts';
import type { Actor, Principal, ReadScope, Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import {
  addressBound,
  addressReleased,
  invitationRevoked,
  memberEndChanged,
  memberReactivated,
  memberRoleChanged,
  memberSuspended,
  sponsorChanged,
} from './events.ts';
import { endBySponsor, endingAfter, passSponsorship } from './guests.ts';
import * as invitations from './invitation-queries.ts';
import { partingMail } from './mails.ts';
import { changeRefused, mayManage, raises } from './policy.ts';
import { nothingToChange, teamProblems } from './problems.ts';
import type { Member, UpdateMember } from './schemas.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

function present(row: teamStatements.MemberRow, viewer: Actor): Versioned<Member> {
  const value = {
    id: row.id,
    // Names and roles are visible to all members, the other data only to managers and to the member.
    ...(mayManage(viewer) || (viewer.type === 'user' && viewer.id === row.id)
      ? { email: row.email, ...(row.undeliverable === null ? {} : { undeliverable: row.undeliverable }) }
      : {}),
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    isActive: row.status === 'active' && !row.has_ended,
    ...(row.ends_at === null ? {} : { endsAt: row.ends_at }),
    ...(row.sponsor_id === null ? {} : { sponsorId: row.sponsor_id }),
    ...(mayManage(viewer) ? { twoFactorEnabled: row.two_factor_enabled } : {}),
    joinedAt: row.created_at,
    updatedAt: row.updated_at,
  };
  return { value, version: row.version };
}

/** Lists a page of the team’s members, including suspended ones. */
export async function listMembers(
  scope: ReadScope,
  { sort, ...page }: ChangePage,
  { role, ...search }: ListSearch & { role?: string[] | undefined } = {},
): Promise<Placed<Member>[]> {
  const filters = { ...searchParams(search), roles: role ?? null };
  const rows = await scope.db.all(teamStatements.listMembers[sort], { team: scope.team, ...filters, ...page });
  return rows.map((row) => ({ thing: present(row, scope.actor).value, place: [row.sort_time, row.id] }));
}

/** Returns a member of the team. Throws 404, also for a former member. */
export async function getMember(scope: ReadScope, userId: string): Promise<Versioned<Member>> {
  const row = await scope.db.first(teamStatements.findMember, { team: scope.team, id: pathId(userId, 'member') });
  if (!row) throw notFound('member');
  return present(row, scope.actor);
}

/**
 * Locks the memberships and checks again whether the actor may manage members, because the actor’s role may
 * have changed while the request waited. Returns the rows of the acting user, if it is one, and of the target.
 */
export async function lockManagedMembers(
  scope: Scope,
  targetId?: string,
): Promise<{ by: teamStatements.MemberRow | undefined; target: teamStatements.MemberRow | undefined }> {
  const { actor, team } = scope;
  if (actor.type !== 'user' && !mayManage(actor))
    throw problems.forbidden('Only the owner, administrators and API clients can manage members. Ask the owner or an administrator.');
  const ids = [...(actor.type === 'user' ? [actor.id] : []), ...(targetId === undefined ? [] : [targetId])];
  const members = await scope.db.locked(lockMembers, { team }, () => scope.db.all(teamStatements.lockMemberRows, { team, ids }));
  const by = actor.type === 'user' ? members.find(({ id }) => id === actor.id) : undefined;
  if (actor.type === 'user' && !(by?.status === 'active' && mayManage({ ...actor, role: by.role })))
    throw problems.forbidden('Your role in the team has changed. Only the owner and administrators can manage members and invitations.');
  return { by, target: members.find(({ id }) => id === targetId) };
}

async function lockTargetMember(scope: Scope, userId: string): Promise<teamStatements.MemberRow> {
  const { target } = await lockManagedMembers(scope, pathId(userId, 'member'));
  // A membership whose end has passed is over, whether or not the job has run.
  if (!target || target.has_ended) throw notFound('member');
  switch (changeRefused(scope.actor, target)) {
    case 'oneself':
      throw teamProblems.self_action_not_allowed(
        'You cannot change your own membership. Ask another administrator, or leave with POST /api/v1/team/leave.',
      );
    case 'owner':
      throw ownerProtected();
    default:
      return target;
  }
}

/**
 * Changes a member’s role or state, effective at their next request. A suspension ends their sessions. Throws 401
 * `reauthentication_required` if it grants more rights, 403 `self_action_not_allowed`, `owner_protected`, 404, 409 `managed_by_directory` or 412.
 */
export async function updateMember(
  accounts: Accounts,
  scope: Scope,
  { sessionId: session, scopes }: Pick<Principal, 'sessionId' | 'scopes'>,
  userId: string,
  input: UpdateMember,
  expect: VersionCheck,
): Promise<Versioned<Member>> {
  if (Object.keys(input).length === 0) throw nothingToChange('`role`, `isActive`, `endsAt`, `sponsorId` or `addressReleased`');
  if (!scopes.has('team:write')) return endAsSponsor(accounts, scope, userId, input, expect);
  const kept = await lockTargetMember(scope, userId);
  expect(kept.version);
  const { addressReleased: released } = input;
  if (released) await requireRecentSignIn(scope, session);
  if (
    released !== undefined &&
    (await scope.db.first(teamStatements.releaseAddress, { team: scope.team, id: kept.id, released, at: scope.now }))
  )
    await recordAudit(scope, released ? addressReleased : addressBound, kept.id);
  const role = input.role ?? kept.role;
  const isActive = input.isActive ?? kept.status === 'active';
  const status = isActive ? 'active' : 'disabled';
  const ending = await endingAfter(scope, kept, { role, endsAt: input.endsAt, sponsorId: input.sponsorId });
  if (role === kept.role && status === kept.status && !endingChanges(kept, ending)) {
    const now = released === undefined ? kept : await scope.db.first(teamStatements.findMember, { team: scope.team, id: kept.id });
    return present(now ?? kept, scope.actor);
  }
  if (raises({ role: kept.role, isActive: kept.status === 'active' }, { role, isActive })) await requireRecentSignIn(scope, session);
  if (isActive && kept.status !== 'active' && (await accounts.directories.hasDeactivated(scope, kept.id)))
    throw teamProblems.managed_by_directory('A directory of the team has deactivated this member. Activate the user there.');
  const changed = await changeMembership(accounts, scope, kept, { role, isActive, ending });
  return present(changed, scope.actor);
}

/** The present end, sponsor and extension of a membership. */
const endingOf = ({
  ends_at: endsAt,
  sponsor_id: sponsor,
  sponsor_extended: extended,
}: teamStatements.MemberRow): teamStatements.GuestTerms => ({
  endsAt,
  sponsor,
  extended,
});

/**
 * Changes the role and the state of a member whose row is locked, effective at their next request. A suspension ends their sessions. Errors: 403
 * `owner_protected`.
 */
export async function changeMembership(
  accounts: Accounts,
  scope: Scope,
  kept: teamStatements.MemberRow,
  { role, isActive, ending = endingOf(kept) }: { role: string; isActive: boolean; ending?: teamStatements.GuestTerms },
): Promise<teamStatements.MemberRow> {
  const status = isActive ? 'active' : 'disabled';
  // A former administrator may know the secrets of the API clients that they created, and can no longer invite.
  const lowered = kept.role === 'admin' && role !== 'admin' ? 'lowered' : undefined;
  // API clients act for no guest.
  const lost = isActive && !(hasEnd(role) && !hasEnd(kept.role)) ? lowered : 'gone';
  const changed = await scope.db.first(teamStatements.updateMember, {
    team: scope.team,
    id: kept.id,
    role,
    status,
    ...ending,
    at: scope.now,
  });
  if (!changed) throw ownerProtected();
  await pipelined([
    () => (isActive ? forgetPerson(accounts, scope, kept.id) : endMemberSessions(accounts, scope, kept.id, null)),
    () => (lost === undefined ? undefined : lose(accounts, scope, kept.id, lost)),
    () => recordEnding(scope, kept, ending),
    () => (role === 'viewer' || hasEnd(role) ? passSponsorship(scope, kept.id, null) : undefined),
    () => (role === kept.role ? undefined : record(scope, memberRoleChanged, kept.id, { from: kept.role, to: role })),
    () => (status !== kept.status && isActive ? recordAudit(scope, memberReactivated, kept.id) : undefined),
    () => (status !== kept.status && !isActive ? record(scope, memberSuspended, kept.id, { role }) : undefined),
  ]);
  return changed;
}

/** Changes the end of a guest as their sponsor, who needs no right to manage members. Throws 403, 404, 412, 422. */
async function endAsSponsor(
  accounts: Accounts,
  scope: Scope,
  userId: string,
  { endsAt, ...others }: UpdateMember,
  expect: VersionCheck,
): Promise<Versioned<Member>> {
  const { team, actor } = scope;
  const id = pathId(userId, 'member');
  const [kept] = await scope.db.locked(lockMembers, { team }, () => scope.db.all(teamStatements.lockMemberRows, { team, ids: [id] }));
  const sponsors = actor.type === 'user' && kept?.role === 'guest' && kept.sponsor_id === actor.id;
  if (!sponsors || endsAt === undefined || Object.keys(others).length > 0)
    throw scopeMissing('Changing a member needs the scope `team:write`. Without it, a sponsor changes only `endsAt` of their guest.', [
      'team:write',
    ]);
  if (kept.has_ended) throw notFound('member');
  expect(kept.version);
  const ending = await endBySponsor(scope, kept, endsAt);
  const { role, status } = kept;
  const changed = await scope.db.first(teamStatements.updateMember, { team, id, role, status, ...ending, at: scope.now });
  if (!changed) throw gone();
  await forgetPerson(accounts, scope, id);
  await recordEnding(scope, kept, ending);
  return present(changed, actor);
}

const sameTime = (a: string | null, b: string | null): boolean => a === b || (a !== null && b !== null && Date.parse(a) === Date.parse(b));
const endingChanges = (kept: teamStatements.MemberRow, { endsAt, sponsor }: teamStatements.GuestTerms): boolean =>
  kept.sponsor_id !== sponsor || !sameTime(kept.ends_at, endsAt);

/** Journals another end and another sponsor. */
async function recordEnding(scope: Scope, kept: teamStatements.MemberRow, { endsAt, sponsor }: teamStatements.GuestTerms): Promise<void> {
  const { ends_at: from } = kept;
  if (!sameTime(from, endsAt))
    await recordAudit(scope, memberEndChanged, kept.id, { ...(from === null ? {} : { from }), ...(endsAt === null ? {} : { to: endsAt }) });
  if (sponsor !== null && sponsor !== kept.sponsor_id)
    await recordAudit(scope, sponsorChanged, kept.id, { ...(kept.sponsor_id === null ? {} : { from: kept.sponsor_id }), to: sponsor });
}

/**
 * Removes a member: their sessions end, their tasks and resources go to the successor, and without another team they get a new one. Throws 403
 * `self_action_not_allowed`, `owner_protected`, 404, 412 or 422 `successor_not_found`.
 */
export async function removeMember(
  accounts: Accounts,
  scope: Scope,
  userId: string,
  successorId: string | undefined,
  expect: VersionCheck,
): Promise<void> {
  const target = await lockTargetMember(scope, userId);
  expect(target.version);
  await offboard(accounts, scope, target, 'removed', await successorOf(scope, target.id, successorId));
}

/** Removes the caller from the team. Throws 403 `owner_protected`, or 409 if the user has already left. */
export async function leave(accounts: Accounts, scope: Scope): Promise<void> {
  const { actor, team } = scope;
  if (actor.type !== 'user') throw problems.forbidden('Only a person can leave a team. Send the access token of a user.');
  const [self] = await scope.db.locked(lockMembers, { team }, () => scope.db.all(teamStatements.lockMemberRows, { team, ids: [actor.id] }));
  if (!self) throw gone();
  if (self.role === 'owner') throw ownerProtected();
  await offboard(accounts, scope, self, 'left', await successorOf(scope, self.id, undefined));
}

/** Ends the membership of a member whose row is locked, and hands their work over to the successor. */
export async function offboard(
  accounts: Accounts,
  scope: Scope,
  member: teamStatements.MemberRow,
  reason: 'removed' | 'left',
  successorId: string,
): Promise<void> {
  const team = await scope.db.first(teamStatements.findTeam, { team: scope.team });
  // Subscribers run while the user’s row still has the name, because folders for the successor are named after the user.
  await emitMemberLeft(scope, member.id, { role: member.role, reason, successorId });
  await endInvitationsTo(scope, member.email);
  const former = await endMembership(accounts, scope, member.id, reason);
  if (!former) throw gone();
  await queueMail(scope.db, {
    to: former.email,
    team: scope.team,
    ...partingMail(former.locale, reason, former.firstName, team?.name ?? ''),
  });
  await ensureTeam(scope, member.id);
}

/** Ends pending invitations to the address of the departing user, which would let them return. */
async function endInvitationsTo(scope: Scope, email: string): Promise<void> {
  const emailKey = parseEmail(email)?.key ?? email;
  const ended = await scope.db.all(invitations.revokeOfAddress, { team: scope.team, emailKey, at: scope.now });
  await Promise.all(ended.map((one) => recordAudit(scope, invitationRevoked, one.id)));
}

/** Returns the successor: the named member, who has no end, or the owner. */
async function successorOf(scope: Scope, leaving: string, wanted: string | undefined): Promise<string> {
  const { team } = scope;
  const named = wanted !== undefined && isUuid(wanted) ? await scope.db.first(teamStatements.findMember, { team, id: wanted }) : undefined;
  const isFit = named?.status === 'active' && !named.has_ended && !hasEnd(named.role);
  const found = wanted === undefined ? await scope.db.first(ownerOfTeam, { team }) : isFit ? named : undefined;
  if (!found || found.id === leaving)
    throw teamProblems.successor_not_found(
      '`successorId` is not another active member of your team, or a guest or an auditor. List the members and choose one.',
    );
  return found.id;
}

const ownerProtected = () =>
  teamProblems.owner_protected(
    'This user is the owner of the team. Transfer the ownership first with POST /api/v1/security/auth/transfer-ownership.',
  );
const gone = () => problems.conflict('The user is no longer in the team. List the members again.');
