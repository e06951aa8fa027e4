import { type Actor, runsTeam } from '../platform/scope.ts';

/** Who made a thing, and whether they have left the team since: what they left is theirs no more when they come back. */
type Made = { created_by: string | null; maker_left: boolean };
const made = (by: string, thing: Made) => thing.created_by === by && !thing.maker_left;

/**
 * Whose workflows a list shows: all of the team's (`seer` null), or those a person has to do with, a viewer by tasks alone.
 * An API client that is confined to folders sees what it made.
 */
export function seerOf(actor: Actor): { seer: string | null; viewer: boolean } {
  if (actor.type === 'user') return runsTeam(actor) ? { seer: null, viewer: false } : { seer: actor.id, viewer: actor.role === 'viewer' };
  const confined = (actor.type === 'client' || actor.type === 'agent') && actor.folderIds !== undefined;
  return { seer: confined ? actor.id : null, viewer: false };
}

/** Changing, starting, pausing, cancelling and deleting are for who made it and for those who run the team. */
export function mayChange(actor: Actor, workflow: Made): boolean {
  if (runsTeam(actor)) return true;
  if (actor.type === 'system' || (actor.type === 'user' && actor.role === 'viewer')) return false;
  return made(actor.id, workflow);
}

/** A template of the team's own is changed and removed by who added it, and by those who run the team. */
export function mayChangeTemplate(actor: Actor, template: Made): boolean {
  return runsTeam(actor) || (actor.type !== 'system' && made(actor.id, template));
}

/** Viewers make no workflows and no templates. */
export function mayMake(actor: Actor): boolean {
  return actor.type !== 'system' && !(actor.type === 'user' && actor.role === 'viewer');
}
