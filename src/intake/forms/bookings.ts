import { viewerOf } from '#access';
import { type AskInterfaces, type BookingRight, bookingsToDecide as listToDecide } from '#bookings';
import { resolveText, usualLocale } from '#fields';
import { activeMember, teamAndMember } from '#teams';
import type { Reader } from '../../platform/database/database.ts';
import type { MergedPage, MergedPart } from '../../platform/database/merged-page.ts';
import { problems } from '../../platform/problems.ts';
import type { Actor, ReadScope } from '../../platform/scope.ts';
import { brandOfTeam, mailBrandOf } from './branding/index.ts';
import { formsWithSubmissions, readableInterface, readByRole } from './access.ts';
import { accessToInterface, holdsScope, type InterfaceAccess } from './policy.ts';
import { interfacesToDecide, ownerAndTitle, reachInterface } from './queries.ts';
import { maySetUses } from './submission-actions.ts';

/**
 * Implements the access checks of the bookings domain. Editors of the form manage the calendar. Members who can read submissions see the bookings,
 * and members who can change submissions decide on them. A feed requires both rights.
 */
export const answersToBookings: AskInterfaces = {
  async require(scope, id, right) {
    const { access } = await readableInterface(scope, id);
    const edits = editing.has(right);
    if (edits && !access.can(right === 'calendar' ? 'view_calendar' : 'edit'))
      throw problems.forbidden('Only members who can edit this form can access its calendar. Ask its owner.');
    if (right === 'addresses' || right === 'feed') requireWriting(scope.actor);
    // A feed address never expires, so a caller with emergency access can neither get nor create one.
    if (!edits || right === 'feed') requireBookings(access, right === 'feed' ? 'write' : right);
    return access.byRole(edits ? 'edit' : 'view_submissions');
  },
  readable: formsWithSubmissions,
  byRole: readByRole,
  async reads(db, team, id, person) {
    return (await accessOfMember(db, { team, id, person }))?.can('view_submissions') ?? false;
  },
  async about(db, team, id) {
    const found = await db.first(ownerAndTitle, { team, id });
    if (!found) return undefined;
    const owner = await db.first(teamAndMember, { team, member: found.owner_id });
    const recipients =
      found.owner_excluded || owner === undefined || owner.email === null ? [] : [{ email: owner.email, locale: owner.locale ?? 'en' }];
    const brand = await brandOfTeam(db, team, owner?.name ?? '');
    const { title, titles, locale: first, barred, suspended } = found;
    const titleIn = (locale: string) => (titles === null ? title : resolveText(titles, locale, first ?? usualLocale));
    return { title, titleIn, by: brand.name, look: (baseUrl) => mailBrandOf(baseUrl, brand), recipients, barred, suspended };
  },
};

/** Returns the bookings that wait for a decision, of the forms whose bookings the actor may decide. */
export async function bookingsToDecide({ db, team, actor }: ReadScope, page: MergedPage): Promise<MergedPart[]> {
  const forms = (await db.all(interfacesToDecide, { team, ...viewerOf(actor) })).filter((row) => {
    const access = accessToInterface(actor, row);
    return access !== undefined && maySetUses(access);
  });
  const calendars = { calendars: forms.map(({ id }) => id), titles: forms.map(({ name }) => name) };
  return forms.length === 0 ? [] : db.all(listToDecide, { team, ...calendars, ...page });
}

const editing: ReadonlySet<BookingRight> = new Set(['calendar', 'edit', 'addresses', 'feed']);

export function requireBookings(access: InterfaceAccess, right: BookingRight): void {
  if (right === 'write' ? maySetUses(access) : access.can('view_submissions')) return;
  throw problems.forbidden('Only members who can read the submissions can see the bookings. Ask the owner of the form.');
}

/** Secret addresses give access to their content, so a client with read scope does not get them. */
function requireWriting(actor: Actor): void {
  if (holdsScope(actor, 'interfaces:write')) return;
  throw problems.insufficient_scope('Secret addresses of a calendar require the scope `interfaces:write`.');
}

async function accessOfMember(db: Reader, { team, id, person }: { team: string; id: string; person: string }) {
  const member = await db.first(activeMember, { team, id: person });
  if (!member) return undefined;
  const actor: Actor = { type: 'user', id: member.id, role: member.role };
  const row = await db.first(reachInterface, { team, id, ...viewerOf(actor) });
  return row && accessToInterface(actor, row);
}
