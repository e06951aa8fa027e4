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

/** Whether somebody of this role says what agents are, and which servers they call. */
export const mayManageAgents = (role: string): boolean => role === 'owner' || role === 'admin';

/** Whether runs of an agent may begin, or go on: it is switched on, and neither it nor all agents of the team are stopped. */
export const mayRun = (agent: { enabled: boolean; stopped_at: string | null; team_stopped_at: string | null }): boolean =>
  agent.enabled && agent.stopped_at === null && agent.team_stopped_at === null;
