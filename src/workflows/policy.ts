import { type Actor, runsTeam } from '../platform/scope.ts';

type Owned = { owner_id: string | null };

/**
 * Whose workflows a list shows: all of the team's (`seer` null), or those a person has to do with, a viewer by tasks alone.
 * An API client that is confined to folders sees what it made.
 */
export function seerOf(actor: Actor): { seer: string | null; viewer: boolean } {
  if (actor.type === 'user') return runsTeam(actor) ? { seer: null, viewer: false } : { seer: actor.id, viewer: actor.role === 'viewer' };
  const confined = (actor.type === 'client' || actor.type === 'agent') && actor.folderIds !== undefined;
  return { seer: confined ? actor.id : null, viewer: false };
}

/** Changing, starting, pausing, cancelling and deleting are for its owner and for those who run the team. */
export function mayChange(actor: Actor, workflow: Owned): boolean {
  if (runsTeam(actor)) return true;
  if (actor.type === 'system' || (actor.type === 'user' && actor.role === 'viewer')) return false;
  return workflow.owner_id === actor.id;
}

/** A template of the team's own is changed and removed by its owner, and by those who run the team. */
export function mayChangeTemplate(actor: Actor, template: Owned): boolean {
  return runsTeam(actor) || (actor.type !== 'system' && template.owner_id === actor.id);
}

/** Viewers make no workflows and no templates. */
export function mayMake(actor: Actor): boolean {
  return actor.type !== 'system' && !(actor.type === 'user' && actor.role === 'viewer');
}
