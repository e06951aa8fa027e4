import { type Held, nothingHeld, type Via, viaOf } from '../../platform/reasons.ts';
import { type Actor, isConfined, readsOnly, runsTeam } from '../../platform/scope.ts';

/** How the actor stands to a thing that lies in no folder and is shared as a whole: facts the queries give. */
export type SharedFacts = {
  user_id: string;
  created_by: string;
  /** The most that is shared with the person, alone or with the whole team. */
  shared: 'read' | 'write' | null;
  /** The same of what another has shared. */
  shared_by_another: 'read' | 'write' | null;
};

/**
 * What may be done with such a thing: `read` and use it, `write` what is in it, `manage` what it is and who else has it. `held`: of that,
 * what the actor holds besides their role in the team; absent where the role adds nothing.
 */
export type SharedAccess = { level: 'read' | 'write' | 'manage'; via: Via; held?: Held };

/** What the actor may do with it; undefined where it is to them as if it were not there. */
export function accessToShared(actor: Actor, facts: SharedFacts): SharedAccess | undefined {
  if (actor.type === 'system') return { level: 'manage', via: 'system' };
  if (actor.type === 'client' || actor.type === 'agent') {
    // What lies in no folder is not for a program that is confined to some, save what it made itself.
    if (isConfined(actor) && facts.created_by !== actor.id) return undefined;
    return { level: 'manage', via: 'client' };
  }
  if (actor.type !== 'user') return undefined;
  const owns = facts.user_id === actor.id;
  const via = viaOf(actor, { owns, share: facts.shared !== null, shareByAnother: facts.shared_by_another !== null });
  if (via === undefined) return undefined;
  if (readsOnly(actor)) return { level: 'read', via };
  if (owns) return { level: 'manage', via };
  if (!runsTeam(actor)) return { level: facts.shared ?? 'read', via };
  const held = facts.shared_by_another === null ? nothingHeld : { level: facts.shared_by_another, placed: false };
  return { level: 'manage', via, held };
}

/** Whether the actor may change what is in it. */
export const mayWrite = ({ level }: SharedAccess): boolean => level !== 'read';

/** Whether the actor may change what it is and whether it is there, and sees who has it. */
export const mayManage = ({ level }: SharedAccess): boolean => level === 'manage';

/** Whether the actor says who else has it. A program gives nobody anything: what is in it may be others'. */
export const mayShare = (actor: Actor, access: SharedAccess): boolean =>
  mayManage(access) && actor.type !== 'client' && actor.type !== 'agent';
