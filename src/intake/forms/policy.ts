import { accessTo, type Facts, type ResourceAccess } from '#access';
import { type Actor, isConfined, readsOnly } from '../../platform/scope.ts';

/** The permissions of an actor on an interface and on its submissions. */
export type InterfaceAccess = ResourceAccess<'form'>;

/** The relations to a form of a program that is confined to its folder. */
const byConfinement = ['editor', 'submission_viewer', 'submission_manager'];

/** The permissions of the actor on an interface. Undefined for one that the actor may not view: the response is 404. */
export function accessToInterface(actor: Actor, { inherited, relations, ...barriers }: Facts): InterfaceAccess | undefined {
  const isInFolder = isConfined(actor) && inherited.includes('editor');
  return accessTo(actor, 'form', { relations: isInFolder ? byConfinement : relations, ...barriers });
}

/**
 * What a program may do with interfaces by their identifiers is what its scopes say, whichever operation it names them in, and whenever what
 * it has stored takes effect.
 */
export const holdsScope = (actor: Actor, scope: 'interfaces:read' | 'interfaces:write'): boolean =>
  !('scopes' in actor) || actor.scopes.has(scope);

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
