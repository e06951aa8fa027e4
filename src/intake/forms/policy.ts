import { accessTo, type Facts, type ResourceAccess } from '#access';
import { type Actor, isConfined, readsOnly } from '../../platform/scope.ts';

/** The permissions of an actor on a form and its submissions. */
export type InterfaceAccess = ResourceAccess<'form'>;

/** The relations that a client confined to the folder of a form gets. */
const byConfinement = ['editor', 'submission_viewer', 'submission_manager'];

/** Returns the permissions of the actor, or `undefined` if the actor cannot see the form. Callers then respond 404. */
export function accessToInterface(actor: Actor, { inherited, relations, ...barriers }: Facts): InterfaceAccess | undefined {
  const isInFolder = isConfined(actor) && inherited.includes('editor');
  return accessTo(actor, 'form', { relations: isInFolder ? byConfinement : relations, ...barriers });
}

/** Returns whether an actor has a scope. Applies to every operation that names a form, and to stored settings of a client when they take effect. */
export const holdsScope = (actor: Actor, scope: 'interfaces:read' | 'interfaces:write'): boolean =>
  !('scopes' in actor) || actor.scopes.has(scope);

/** Returns whether an actor can create interfaces. Viewers cannot. */
export function mayMake(actor: Actor): boolean {
  return actor.type !== 'system' && actor.type !== 'visitor' && !readsOnly(actor);
}

/** The availability of a form, by its status and times. */
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
