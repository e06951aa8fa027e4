import { can } from '#access';
import type { Actor } from '../../../platform/scope.ts';

/** The person or API client whose rounds a list shows. Null for all rounds of the team. */
export const listedFor = (actor: Actor): string | null =>
  'id' in actor && !can(actor, 'approval', 'view', { relations: [] }) ? actor.id : null;

/** Whether the actor may restart rounds and replace candidates: the owner and administrators, except with emergency access only. */
export const mayManage = (actor: Actor, outsider: boolean): boolean => can(actor, 'approval', 'manage', { relations: [], outsider });
