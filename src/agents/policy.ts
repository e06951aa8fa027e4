import { type Actor, isConfined, runsTeam } from '../platform/scope.ts';

/** What agents may have at most: none manages people, programs, webhooks or agents, and none signs. */
export const scopesOfAgents: readonly string[] = [
  'team:read',
  'folders:read',
  'folders:write',
  'documents:read',
  'documents:write',
  'workflows:read',
  'workflows:write',
  'tasks:read',
  'tasks:write',
  'signatures:read',
  'interfaces:read',
  'interfaces:write',
  'registries:read',
  'registries:write',
  'audit:read',
];

/** What an agent may do where nothing else is said: read. */
export const plainScopes: readonly string[] = [
  'folders:read',
  'documents:read',
  'workflows:read',
  'tasks:read',
  'interfaces:read',
  'registries:read',
];

/** Whether the actor sees all agents of the team; else a member sees those that were given to them, and all others none. */
export const seesAllAgents = (actor: Actor): boolean =>
  actor.type === 'system' || runsTeam(actor) || (actor.type === 'client' && !isConfined(actor));

/** Whether somebody of this role says what agents are, and which servers they call. */
export const mayManageAgents = (role: string): boolean => role === 'owner' || role === 'admin';

/** Whether the actor may have an agent run: those who run the team, and members it was given to. */
export const mayUse = (actor: Actor, shared: boolean): boolean => seesAllAgents(actor) || (actor.type === 'user' && shared);

/** Whether runs of an agent may begin, or go on: it is switched on, and neither it nor all agents of the team are stopped. */
export const mayRun = (agent: { enabled: boolean; stopped_at: string | null; team_stopped_at: string | null }): boolean =>
  agent.enabled && agent.stopped_at === null && agent.team_stopped_at === null;
