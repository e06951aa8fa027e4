import type { Actor } from '../platform/scope.ts';

type Asked = { assigned_to: string | null; created_by: string };

/** Completing is for the one it is given to, the one who gave it, and those who run the team; an unassigned task is anybody's. */
export function mayComplete(actor: Actor, task: Asked): boolean {
  if (actor.type !== 'user') return true;
  return task.assigned_to === null || task.assigned_to === actor.id || mayManage(actor, task);
}

/** Giving it to another is for the one who gave it and those who run the team, and for the one who has it. */
export function mayReassign(actor: Actor, task: Asked): boolean {
  return mayComplete(actor, task);
}

function mayManage(actor: Extract<Actor, { type: 'user' }>, task: Asked): boolean {
  return task.created_by === actor.id || actor.role === 'owner' || actor.role === 'admin';
}
