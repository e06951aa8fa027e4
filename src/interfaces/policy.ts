import type { Facts } from '#access';
import { type Held, nothingHeld, type Via, viaOf } from '../platform/reasons.ts';
import { type Actor, readsOnly, runsTeam } from '../platform/scope.ts';

/** How the actor stands to an interface, and to the folder in which its submissions live. */
export type InterfaceFacts = Facts & { owner_id: string; folder_id: string | null };

/**
 * What may be done with an interface: `read` to see its definition, `edit` to change, publish and close it, `all` what is its owner's
 * and administrators' too: to share and delete it. `submissions`: what was answered may be read, or erased and tried again too
 * (`write`); `barred` where a barrier keeps the actor from them. `held`: see `FolderAccess`.
 */
export type InterfaceAccess = {
  level: 'read' | 'edit' | 'all';
  submissions: 'none' | 'barred' | 'read' | 'write';
  via: Via;
  held?: Held;
};

/** What the actor may do with an interface; undefined where it is to them as if it were not there. */
export function accessToInterface(actor: Actor, facts: InterfaceFacts): InterfaceAccess | undefined {
  const granted = withoutBarriers(actor, facts);
  if (!granted || granted.submissions === 'none') return granted;
  if (facts.excluded) return { ...granted, submissions: 'barred' };
  // Emergency access reads only.
  return facts.outsider ? { ...granted, submissions: 'read' } : granted;
}

function withoutBarriers(actor: Actor, facts: InterfaceFacts): InterfaceAccess | undefined {
  if (actor.type === 'system') return { level: 'all', submissions: 'write', via: 'system' };
  if (actor.type === 'client' || actor.type === 'agent') {
    if (actor.folderIds !== undefined && (facts.inherited.length === 0 || facts.excluded)) return undefined;
    return { level: 'edit', submissions: 'write', via: 'client' };
  }
  if (actor.type !== 'user') return undefined;
  const via = viaOf(actor, { owns: facts.owner_id === actor.id, share: facts.relations.length > 0 });
  if (via === undefined) return undefined;
  const [edits, reads] = [facts.relations.includes('editor'), facts.relations.includes('submission_viewer')];
  if (readsOnly(actor)) return { level: 'read', submissions: via === 'owner' || reads ? 'read' : 'none', via };
  if (via === 'owner') return { level: 'all', submissions: 'write', via };
  if (runsTeam(actor)) {
    const held: Held = via === 'share' && edits ? { level: 'write', placed: false } : nothingHeld;
    return { level: 'all', submissions: 'write', via, held };
  }
  return { level: edits ? 'edit' : 'read', submissions: reads ? (edits ? 'write' : 'read') : 'none', via };
}

/**
 * What a program may do with interfaces by their identifiers is what its scopes say, whichever operation it names them in, and whenever what
 * it has stored takes effect.
 */
export const holdsScope = (actor: Actor, scope: 'interfaces:read' | 'interfaces:write'): boolean =>
  !('scopes' in actor) || actor.scopes.has(scope);

/** Whether the actor may change, publish and close an interface. */
export const mayEdit = ({ level }: InterfaceAccess): boolean => level !== 'read';

/** Whether the actor may say what becomes of submissions: who may edit the interface, and read and erase what was submitted. */
export const mayGiveUses = (access: InterfaceAccess): boolean => mayEdit(access) && access.submissions === 'write';

/** Whether the actor may read what was submitted. */
export const mayReadSubmissions = ({ submissions }: InterfaceAccess): boolean => submissions === 'read' || submissions === 'write';

/** Whether the actor may erase what was submitted, for good. */
export const mayErase = ({ submissions }: InterfaceAccess): boolean => submissions === 'write';

/** Making interfaces is for those who may change something: not for viewers. */
export function mayMake(actor: Actor): boolean {
  return actor.type !== 'system' && actor.type !== 'visitor' && !readsOnly(actor);
}

/** Whether an interface takes answers, by its state and times. */
export type Openness = 'open' | 'closed' | 'not yet' | 'over' | 'full';

export function opennessOf(
  at: Date,
  {
    status,
    opensAt,
    closesAt,
    most,
    taken,
  }: { status: string; opensAt?: string | undefined; closesAt?: string | undefined; most?: number | undefined; taken: number },
): Openness {
  if (status !== 'published') return 'closed';
  if (opensAt !== undefined && at < new Date(opensAt)) return 'not yet';
  if (closesAt !== undefined && at >= new Date(closesAt)) return 'over';
  return most !== undefined && taken >= most ? 'full' : 'open';
}
