import { randomUUIDv7 } from 'node:crypto';
import { type Accounts, type EmailAddress, emailOf, guestStatements, lockMembers, requireRecentSignIn, teamStatements } from '#accounts';
import { scopeMissing } from '../../platform/http/authenticate.ts';
import { newTeamToken, tokenHash } from '../../platform/crypto/tokens.ts';
import { notFound, pathId } from '../../platform/identifiers.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { clearUndeliverable } from '../../platform/mail/undeliverable-queries.ts';
import { problems } from '../../platform/problems.ts';
import type { Principal, ReadScope, Scope } from '../../platform/scope.ts';
import { withoutLinks } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import type { Teams } from './accept.ts';
import { invitationResent, invitationRevoked, memberInvited } from './events.ts';
import { checkAccess, endOver, guestTerms, type GuestShares } from './guests.ts';
import * as queries from './invitation-queries.ts';
import { invitationMail } from './mails.ts';
import { lockManagedMembers } from './members.ts';
import { mayInviteAs, mayManage } from './policy.ts';
import { teamProblems } from './problems.ts';
import type { GrantedResource, Invitation, Invite, Seat } from './schemas.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

const maxPending = 100;
const secondsBetweenMails = 60;
const waiting: Invitation['status'][] = ['pending', 'expired'];

function present(row: queries.InvitationRow): Versioned<Invitation> {
  const value = {
    id: row.id,
    email: row.email,
    ...(row.undeliverable === null ? {} : { undeliverable: row.undeliverable }),
    role: row.role,
    ...(row.ends_at === null ? {} : { endsAt: row.ends_at }),
    ...(row.sponsor_id === null ? {} : { sponsorId: row.sponsor_id }),
    ...(row.access.length === 0 ? {} : { access: row.access }),
    status: row.state,
    createdBy: row.invited_by,
    createdByType: row.created_by_type,
    ...(row.accepted_by === null ? {} : { acceptedBy: row.accepted_by }),
    createdAt: row.created_at,
    sentAt: row.sent_at,
    expiresAt: row.expires_at,
    ...(row.ended_at === null ? {} : { endedAt: row.ended_at }),
  };
  return { value, version: row.version };
}

/** Throws 403 if the caller may not see the email addresses of invited users. */
function refuseOthers(scope: ReadScope): void {
  if (!mayManage(scope.actor)) throw problems.forbidden('Only the owner and administrators can see invitations. Ask one of them.');
}

/** Throws 403 if the caller may not grant the role. */
function refuseAboveOwn(scope: Scope, role: string): void {
  if (!mayInviteAs(scope.actor, role))
    throw teamProblems.role_not_held(
      `An API client can invite only members, viewers and guests, not \`${role}\`. Ask the owner or an administrator of the team.`,
    );
}

/** Requires a recent sign-in to invite an administrator. */
async function confirmAdmin(scope: Scope, session: string, role: string): Promise<void> {
  if (role === 'admin') await requireRecentSignIn(scope, session);
}

/** Lists a page of the team’s invitations, oldest first: the pending and expired ones, or those in `states`. */
export async function listInvitations(
  scope: ReadScope,
  states: readonly Invitation['status'][] | undefined,
  page: { after: string; limit: number },
): Promise<Invitation[]> {
  refuseOthers(scope);
  const rows = await scope.db.all(queries.listInvitations, { team: scope.team, states: [...(states ?? waiting)], ...page });
  return rows.map((row) => present(row).value);
}

/** Returns an invitation. Throws 404. */
export async function getInvitation(scope: ReadScope, id: string): Promise<Versioned<Invitation>> {
  refuseOthers(scope);
  const row = await scope.db.first(queries.findInvitation, { team: scope.team, id: pathId(id, 'invitation') });
  if (!row) throw notFound('invitation');
  return present(row);
}

/** The conditions of an invitation. Guests have terms, and resources that the inviter may share. */
export type Conditions = { role: string; endsAt: string | null; sponsor: string | null; access: readonly GrantedResource[]; seat?: Seat };
const unlimited = { endsAt: null, sponsor: null, access: [] };

async function conditionsOf(
  shares: GuestShares,
  scope: Scope,
  emailKey: string,
  { role, endsAt, sponsorId, access = [] }: Omit<Invite, 'email'>,
): Promise<Conditions> {
  if (role !== 'guest') {
    if (endsAt === undefined && sponsorId === undefined && access.length === 0) return { role, ...unlimited };
    throw problems.validation_failed('Only guests have `endsAt`, `sponsorId` and `access`. Send them with `role: guest`.');
  }
  const terms = await guestTerms(scope, emailKey, { endsAt, sponsorId });
  if (access.length > 0 && scope.actor.type !== 'user')
    throw teamProblems.access_not_shareable(
      'An API client cannot share resources with a guest. Send `access` as a user, or share them after the guest has joined.',
    );
  await checkAccess(shares, scope, access);
  return { role, endsAt: terms.endsAt, sponsor: terms.sponsorId, access };
}

/** Returns a member who invites a guest to own resources, if the policy allows it. Throws 403. */
async function lockSponsor({ db, team, actor }: Scope, { role, sponsorId, access = [] }: Invite): Promise<teamStatements.MemberRow> {
  const id = actor.type === 'user' && actor.role === 'member' ? actor.id : undefined;
  const sponsors = id !== undefined && role === 'guest' && (await db.first(guestStatements.membersMaySponsor, { team }))?.may === true;
  if (!sponsors || access.length === 0 || (sponsorId !== undefined && sponsorId.toLowerCase() !== id))
    throw scopeMissing(
      'Inviting needs the scope `team:write`. If the policy of the team allows it, members invite guests, as their sponsors, to resources that they own: send `access`.',
      ['team:write'],
    );
  const [by] = await db.locked(lockMembers, { team }, () => db.all(teamStatements.lockMemberRows, { team, ids: [id] }));
  if (by?.role !== 'member' || by.status !== 'active') throw problems.forbidden('Your role in the team has changed. Sign in again.');
  return by;
}

/** Returns the managing user; undefined for an API client. Throws 403. */
async function lockInvitingManager(scope: Scope, role: string): Promise<teamStatements.MemberRow | undefined> {
  refuseAboveOwn(scope, role);
  return (await lockManagedMembers(scope)).by;
}

/** The credential of the inviter. */
type Inviting = Pick<Principal, 'sessionId' | 'scopes'>;

/**
 * Mails an invitation to an address. The result does not reveal whether the address has an account elsewhere. Throws 400,
 * 401 `reauthentication_required` for an administrator, 409 `already_member`, `already_invited`, `invitation_limit`, 422 for a guest, or 429.
 */
export async function invite(accounts: Teams, scope: Scope, inviting: Inviting, input: Invite): Promise<Versioned<Invitation>> {
  const sponsor = inviting.scopes.has('team:write') ? undefined : await lockSponsor(scope, input);
  const email = emailOf(input.email);
  const by = sponsor ?? (await lockInvitingManager(scope, input.role));
  await confirmAdmin(scope, inviting.sessionId, input.role);
  const conditions = await conditionsOf(accounts.guestShares, scope, email.key, input);
  return sendInvitation(accounts, scope, email, conditions, by);
}

/** Sends a new invitation. The caller holds the lock of the members. */
export async function sendInvitation(
  accounts: Accounts,
  scope: Scope,
  email: EmailAddress,
  { role, endsAt, sponsor, access, seat }: Conditions,
  by: teamStatements.MemberRow | undefined,
): Promise<Versioned<Invitation>> {
  const { team } = scope;
  await endOverOf(accounts, scope, email.key);
  const { member, counted } = await pipelined({
    member: () => scope.db.first(teamStatements.memberByEmail, { team, emailKey: email.key }),
    revokeExpired: () => scope.db.all(queries.revokeExpired, { team, emailKey: email.key, at: scope.now }),
    counted: () => scope.db.first(queries.countPending, { team }),
  });
  if (member) throw teamProblems.already_member('The address belongs to a member of the team. Change the role of the member instead.');
  if ((counted?.pending ?? 0) >= maxPending)
    throw teamProblems.invitation_limit(`Your team has ${maxPending} pending invitations, which is the maximum. Delete some first.`);
  const id = randomUUIDv7();
  const token = newTeamToken(team);
  const row = await scope.db.first(queries.insertInvitation, {
    team,
    id,
    email: email.address,
    emailKey: email.key,
    role,
    endsAt,
    sponsor,
    access: JSON.stringify(access),
    seat: seat === undefined ? null : JSON.stringify(seat),
    hash: tokenHash(token),
    by: scope.actor.type === 'system' ? team : scope.actor.id,
    byType: scope.actor.type,
    lives: accounts.settings.lifetimes.invitation,
    at: scope.now,
  });
  if (!row)
    throw teamProblems.already_invited(
      'This address has a pending invitation. Send it again with POST /api/v1/team/invitations/{id}/resend, or delete it first.',
    );
  await pipelined([() => sendLink(accounts, scope, row, token, by), () => record(scope, memberInvited, id, { role: row.role })]);
  return present(row);
}

/** Mails a new link. The previous link becomes invalid. Throws 404, 409 `invitation_ended`, or 429 within a minute. */
export async function resend(accounts: Accounts, scope: Scope, session: string, id: string): Promise<Versioned<Invitation>> {
  const { by } = await lockManagedMembers(scope);
  const kept = await scope.db.first(queries.lockInvitation, { team: scope.team, id: pathId(id, 'invitation') });
  if (!kept) throw notFound('invitation');
  refuseAboveOwn(scope, kept.role);
  await confirmAdmin(scope, session, kept.role);
  if (kept.status !== 'pending') throw ended();
  const wait = Math.ceil(secondsBetweenMails - kept.seconds_since_sent);
  if (wait > 0) throw tooMany(`This invitation was sent less than a minute ago. Wait ${wait} seconds.`, wait);
  const token = newTeamToken(scope.team);
  scope.db.send(clearUndeliverable, { team: scope.team, address: kept.email, at: scope.now });
  const row = await scope.db.first(queries.renewInvitation, {
    team: scope.team,
    id: kept.id,
    hash: tokenHash(token),
    lives: accounts.settings.lifetimes.invitation,
  });
  if (!row) throw ended();
  await pipelined([() => sendLink(accounts, scope, row, token, by), () => recordAudit(scope, invitationResent, row.id)]);
  return present(row);
}

/** Ends the membership of an address whose end has passed, so that it can be invited again before the job has run. */
async function endOverOf(accounts: Accounts, scope: Scope, emailKey: string): Promise<void> {
  const { team } = scope;
  const member = await scope.db.first(teamStatements.memberByEmail, { team, emailKey });
  const [found] = member ? await scope.db.all(teamStatements.lockMemberRows, { team, ids: [member.id] }) : [];
  if (found?.has_ended) await endOver(accounts, scope, found);
}

/** Ends an invitation and invalidates its link. Throws 404, 409 `invitation_ended` or 412. */
export async function revoke(scope: Scope, id: string, expect: VersionCheck): Promise<void> {
  await lockManagedMembers(scope);
  const kept = await scope.db.first(queries.lockInvitation, { team: scope.team, id: pathId(id, 'invitation') });
  if (!kept) throw notFound('invitation');
  refuseAboveOwn(scope, kept.role);
  expect(kept.version);
  const revoked = await scope.db.first(queries.revokeInvitation, { team: scope.team, id: kept.id, at: scope.now });
  if (!revoked) throw ended();
  await recordAudit(scope, invitationRevoked, kept.id);
}

/** Ends a pending invitation of a directory; nothing if it has ended. */
export async function withdrawInvitation(scope: Scope, id: string): Promise<void> {
  const revoked = await scope.db.first(queries.revokeInvitation, { team: scope.team, id, at: scope.now });
  if (revoked) await recordAudit(scope, invitationRevoked, id);
}

/** Mails the link to the page that accepts. The token follows `#`, because browsers do not send that part to a server. */
async function sendLink(
  accounts: Accounts,
  scope: Scope,
  row: queries.InvitationRow,
  token: string,
  by: teamStatements.MemberRow | undefined,
): Promise<void> {
  const { throttle, settings } = accounts;
  const { toAddress, withinTeamLimit, team } = await pipelined({
    toAddress: () => throttle.take(scope.db, throttle.invitationMail(row.email_key)),
    withinTeamLimit: () => throttle.take(scope.db, throttle.invitationsOf(scope.team)),
    team: () => scope.db.first(teamStatements.findTeam, { team: scope.team }),
  });
  if (!toAddress) throw tooMany('This address has received too many invitations. Try again in an hour.', 3_600);
  if (!withinTeamLimit) throw tooMany('Your team has reached its daily limit of invitations. Try again tomorrow.', 86_400);
  await queueMail(scope.db, {
    to: row.email,
    team: scope.team,
    budgeted: true,
    about: row.id,
    ...invitationMail(by?.locale, {
      team: withoutLinks(team?.name ?? ''),
      role: row.role,
      endsAt: row.ends_at,
      zone: team?.time_zone ?? 'UTC',
      by: by && withoutLinks(`${by.first_name} ${by.last_name}`),
      link: `${settings.baseUrl}/accept-invitation#token=${token}`,
      lives: settings.lifetimes.invitation,
    }),
  });
}

const tooMany = (detail: string, seconds: number) => problems.rate_limited(detail, { headers: { 'retry-after': String(seconds) } });
const ended = () => teamProblems.invitation_ended('The invitation was already accepted or deleted. Create a new one.');
