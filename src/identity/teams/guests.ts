import {
  type EndingAccounts,
  emitMemberLeft,
  endMembership,
  guestStatements as queries,
  lockMembers,
  memberRemoved,
  parseEmail,
  teamStatements,
} from '#accounts';
import { isUuid } from '../../platform/identifiers.ts';
import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { on } from '../../platform/journal/listeners.ts';
import { queueMail } from '../../platform/mail/queue.ts';
import { Problem, problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { invitationRevoked, memberEnded, sponsorChanged, workDiscarded } from './events.ts';
import { revokeOfAddress } from './invitation-queries.ts';
import { endedMail, endsSoonMail } from './mails.ts';
import { teamProblems } from './problems.ts';
import type { GrantedResource } from './schemas.ts';

/**
 * Shares resources of one type. Domains with resources for guests provide it. `check` throws unless the actor of the scope may share the resource,
 * `share` does it.
 */
export type GuestShare = {
  check(scope: Scope, id: string): Promise<unknown>;
  share(scope: Scope, id: string, to: { userId: string; access: 'read' | 'write' }): Promise<unknown>;
};
export type GuestShares = Map<string, GuestShare>;

/** The terms of a guest. */
export type Terms = { endsAt: string; sponsorId: string };

/** Checks the address and the terms of a new guest. Errors: 422 `end_required`, `end_too_far`, `guest_domain_refused`, `sponsor_not_found`. */
export async function guestTerms(
  scope: Scope,
  emailKey: string,
  { endsAt, sponsorId }: { endsAt?: string | undefined; sponsorId?: string | undefined },
): Promise<Terms> {
  const domain = emailKey.slice(emailKey.lastIndexOf('@') + 1);
  const found = await scope.db.first(queries.guestDomain, { team: scope.team, domain });
  if (found?.is_own)
    throw teamProblems.guest_domain_refused(`Your team has verified the domain ${domain}. Invite its people as members or viewers.`);
  if (!found?.is_allowed)
    throw teamProblems.guest_domain_refused(
      `Your team invites no guests of the domain ${domain}. The owner sets the domains in the policy.`,
    );
  return { endsAt: await guestEnd(scope, endsAt), sponsorId: await sponsorOf(scope, sponsorId) };
}

/** Returns a new end that the policy allows. Errors: 422 `end_required`, `end_too_far`. */
export async function guestEnd(scope: Scope, endsAt: string | undefined): Promise<string> {
  if (endsAt === undefined) throw teamProblems.end_required('Send `endsAt`: the access of a guest always has an end.');
  const found = await scope.db.first(queries.guestEnd, { team: scope.team, endsAt });
  if (!found?.is_later) throw teamProblems.end_required('`endsAt` has passed. Send a time in the future.');
  if (!found.is_within)
    throw teamProblems.end_too_far(`\`endsAt\` is more than ${found.max_days} days from now, which is the limit of your team.`);
  return new Date(endsAt).toISOString();
}

/** Returns the sponsor: the named member, or the acting user. Errors: 422 `sponsor_not_found`. */
export async function sponsorOf({ db, team, actor }: Scope, wanted: string | undefined): Promise<string> {
  const id = wanted?.toLowerCase() ?? (actor.type === 'user' ? actor.id : undefined);
  const found = id !== undefined && isUuid(id) ? await db.first(queries.sponsor, { team, id }) : undefined;
  if (!found)
    throw teamProblems.sponsor_not_found(
      '`sponsorId` must name an active owner, administrator or member of your team, who answers for the guest.',
    );
  return found.id;
}

/** Throws 422 `access_not_shareable` unless the actor may share each resource. */
export async function checkAccess(
  shares: GuestShares,
  scope: Scope,
  access: readonly Pick<GrantedResource, 'type' | 'id'>[],
): Promise<void> {
  for (const { type, id } of access)
    await shares
      .get(type)
      ?.check(scope, id)
      .catch((error: unknown) => {
        throw isRefusal(error)
          ? teamProblems.access_not_shareable(`\`access\` names the ${type} ${id.slice(0, 64)}, which you cannot share. Its owner can.`)
          : error;
      });
}

const isRefusal = (error: unknown): boolean => error instanceof Problem && (error.status === 403 || error.status === 404);

/**
 * Shares the resources of an accepted invitation with the current rights of the inviter. Leaves out a resource that the
 * inviter can no longer share.
 */
export async function grantAccess(
  shares: GuestShares,
  { ip: _ofTheGuest, ...scope }: Scope,
  invitation: { invited_by: string; access: readonly GrantedResource[] },
  userId: string,
): Promise<void> {
  const inviter = await scope.db.first(queries.inviter, { team: scope.team, id: invitation.invited_by });
  if (!inviter) return;
  const asInviter: Scope = { ...scope, actor: { type: 'user', id: inviter.id, role: inviter.role } };
  for (const { type, id, relation } of invitation.access)
    await shares
      .get(type)
      ?.share(asInviter, id, { userId, access: relation === 'editor' ? 'write' : 'read' })
      .catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
}

/**
 * Ends the membership of a guest or auditor whose end has passed. Grants end, and open tasks and documents outside of folders go to the sponsor. The caller holds
 * the lock of the members.
 */
export async function endOver(accounts: EndingAccounts, scope: Scope, member: teamStatements.MemberRow): Promise<void> {
  const { team, db } = scope;
  const successor = await db.first(queries.sponsorNow, { team, sponsor: member.sponsor_id });
  if (!successor) throw new Error('the team has no owner');
  const named = await db.first(teamStatements.findTeam, { team });
  await record(scope, memberEnded, member.id, { role: member.role, successorId: successor.id });
  await emitMemberLeft(scope, member.id, { role: member.role, reason: 'ended', successorId: successor.id });
  const emailKey = parseEmail(member.email)?.key ?? member.email;
  const revoked = await db.all(revokeOfAddress, { team, emailKey, at: scope.now });
  await Promise.all(revoked.map(({ id }) => recordAudit(scope, invitationRevoked, id)));
  const former = await endMembership(accounts, scope, member.id, 'removed');
  if (former) await queueMail(db, { to: former.email, team, ...endedMail(former.locale, former.firstName, named?.name ?? '') });
}

/**
 * When a member leaves, the successor becomes the sponsor of the member’s guests. The end of their memberships stays.
 */
export const sponsorListener = on(memberRemoved, (scope, { targetId: from, data: { successorId: to } }) =>
  passSponsorship(scope, from, to),
);

/** Gives the guests of a member another sponsor: a member who can be a sponsor, else the owner. */
export async function passSponsorship(scope: Scope, from: string, to: string | null): Promise<void> {
  const { team, db, now: at } = scope;
  const passed = await db.all(queries.passSponsorship, { team, from, to, at });
  await Promise.all(passed.map(({ id, sponsor_id: sponsorId }) => recordAudit(scope, sponsorChanged, id, { from, to: sponsorId ?? '' })));
}

export const guestEndJob = 'guest-end';
/** Ends memberships whose end has passed. A late job grants no access, because requests after the end are rejected. */
export const endDueGuests = (accounts: EndingAccounts): DueWork => ({
  job: guestEndJob,
  due: queries.dueEnds(guestEndJob),
  async run(scope, { id }) {
    const [member] = await scope.db.locked(lockMembers, { team: scope.team }, () =>
      scope.db.all(teamStatements.lockMemberRows, { team: scope.team, ids: [id] }),
    );
    if (member?.has_ended) await endOver(accounts, scope, member);
  },
  setAside: { act: workDiscarded, target: ({ id }) => id },
});

export const endReminderJob = 'guest-end-reminder';
/** Mails guest and sponsor 14 and 3 days before the end. */
export const remindOfEnds: DueWork = {
  job: endReminderJob,
  due: queries.dueReminders(endReminderJob),
  async run(scope, { id }) {
    const { team, db } = scope;
    const reminded = await db.first(queries.storeReminder, { team, id });
    if (!reminded) return;
    const { name, time_zone: zone, sponsor_email: to, sponsor_locale: locale, ...guest } = reminded;
    const about = { team: name, guest: `${guest.first_name} ${guest.last_name}`, endsAt: guest.ends_at };
    await queueMail(db, {
      to: guest.email,
      team,
      budgeted: true,
      ...endsSoonMail(guest.locale, { ...about, zone: guest.timezone }, 'guest'),
    });
    await queueMail(db, { to, team, budgeted: true, ...endsSoonMail(locale, { ...about, zone }, 'sponsor') });
  },
  setAside: { act: workDiscarded, target: ({ id }) => id },
};

/**
 * Returns the end and the sponsor of a member after a change. Errors: 400, 409 `auditor_seat`, 422 `end_required`,
 * `end_too_far`, and more.
 */
export async function endingAfter(
  scope: Scope,
  kept: teamStatements.MemberRow,
  { role, ...input }: { role: string; endsAt?: string | undefined; sponsorId?: string | undefined },
): Promise<teamStatements.GuestTerms> {
  if (kept.role === 'auditor') {
    if (role !== 'auditor' || input.endsAt !== undefined || input.sponsorId !== undefined)
      throw teamProblems.auditor_seat('Change the end of an auditor with PATCH /api/v1/team/auditors/{id}. The role of an auditor stays.');
    return { endsAt: kept.ends_at, sponsor: null, extended: false };
  }
  if (role !== 'guest') {
    if (input.endsAt !== undefined || input.sponsorId !== undefined)
      throw problems.validation_failed('Only guests have `endsAt` and `sponsorId`. Send them with `role: guest`.');
    return { endsAt: null, sponsor: null, extended: false };
  }
  if (kept.role !== 'guest') {
    const { endsAt, sponsorId } = await guestTerms(scope, parseEmail(kept.email)?.key ?? kept.email, input);
    if (sponsorId === kept.id)
      throw teamProblems.sponsor_not_found('A guest cannot be their own sponsor. Send `sponsorId` of another member.');
    return { endsAt, sponsor: sponsorId, extended: false };
  }
  const sponsor = input.sponsorId === undefined ? kept.sponsor_id : await sponsorOf(scope, input.sponsorId);
  if (input.endsAt === undefined) return { endsAt: kept.ends_at, sponsor, extended: kept.sponsor_extended };
  return { endsAt: await guestEnd(scope, input.endsAt), sponsor, extended: kept.sponsor_extended };
}

/** The end that a sponsor sets. They can extend it once. Errors: 403, 422 `end_required`, `end_too_far`. */
export async function endBySponsor(scope: Scope, kept: teamStatements.MemberRow, endsAt: string): Promise<teamStatements.GuestTerms> {
  const later = Date.parse(endsAt) > Date.parse(kept.ends_at ?? endsAt);
  if (later && kept.sponsor_extended)
    throw problems.forbidden('You have already extended the access of this guest. Ask an administrator to extend it again.');
  return { endsAt: await guestEnd(scope, endsAt), sponsor: kept.sponsor_id, extended: kept.sponsor_extended || later };
}
