import type { AskInterfaces } from '#bookings';
import { teamAndMember } from '#teams';
import { problems } from '../platform/problems.ts';
import { readableInterface } from './access.ts';
import { mayEdit } from './policy.ts';
import { ownerAndTitle } from './queries.ts';

/**
 * What bookings ask of the interfaces whose calendars they keep. A calendar is its editors’; who has booked is for those who may
 * read what was submitted, and what becomes of it for those who may change that.
 */
export const answersToBookings: AskInterfaces = {
  async require(scope, id, right) {
    const { access } = await readableInterface(scope, id);
    if (right === 'calendar') {
      if (!mayEdit(access)) throw problems.forbidden('The calendar is for those who may edit this interface. Ask its owner.');
      return;
    }
    const allowed: readonly (typeof access.submissions)[] = right === 'read' ? ['read', 'write'] : ['write'];
    if (!allowed.includes(access.submissions))
      throw problems.forbidden('The bookings are for those who may see what was submitted here. Ask the owner of the interface.');
  },
  async about(db, team, id) {
    const found = await db.first(ownerAndTitle, { team, id });
    if (!found) return undefined;
    const told = await db.first(teamAndMember, { team, member: found.owner_id });
    const tell = told === undefined || told.email === null ? [] : [{ email: told.email, locale: told.locale ?? 'en' }];
    return { title: found.title, by: told?.name ?? '', tell };
  },
};
