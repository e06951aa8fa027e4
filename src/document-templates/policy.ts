import { type Held, nothingHeld, type Via, viaOf } from '../platform/reasons.ts';
import { type Actor, isConfined, readsOnly, runsTeam } from '../platform/scope.ts';

/** How the actor stands to a template: facts the queries give. */
export type TemplateFacts = {
  user_id: string;
  created_by: string;
  /** The most that is shared with the person, alone or with the whole team. */
  shared: 'read' | 'write' | null;
  /** The same of what another has shared. */
  shared_by_another: 'read' | 'write' | null;
};

/**
 * What may be done with a template: `read` and use it, `write` it, `manage` who else has it and whether it is there. `held`: of that, what
 * the actor holds besides their role in the team; absent where the role adds nothing.
 */
export type TemplateAccess = { level: 'read' | 'write' | 'manage'; via: Via; held?: Held };

/** What the actor may do with a template; undefined where it is to them as if it were not there. */
export function accessToTemplate(actor: Actor, facts: TemplateFacts): TemplateAccess | undefined {
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

/** Whether the actor may change a template. */
export const mayWrite = ({ level }: TemplateAccess): boolean => level !== 'read';

/** Whether the actor may delete a template, and sees who has it. */
export const mayManage = ({ level }: TemplateAccess): boolean => level === 'manage';

/** Whether the actor says who else has a template. A program gives nobody anything: what is in it may be others'. */
export const mayShare = (actor: Actor, access: TemplateAccess): boolean =>
  mayManage(access) && actor.type !== 'client' && actor.type !== 'agent';
