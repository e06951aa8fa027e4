/** The maximum scopes of agents. No agent can manage people, API clients, webhooks or agents, and no agent can sign. */
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

/** The scopes of an agent that is created without `scopes`: it can only read. */
export const plainScopes: readonly string[] = [
  'folders:read',
  'documents:read',
  'workflows:read',
  'tasks:read',
  'interfaces:read',
  'registries:read',
];

/** Returns whether members with this role can configure agents and their MCP servers. */
export const mayManageAgents = (role: string): boolean => role === 'owner' || role === 'admin';

/** Returns whether runs of an agent can start or continue: the agent is enabled, and neither it nor all agents of the team are stopped. */
export const mayRun = (agent: { enabled: boolean; stopped_at: string | null; team_stopped_at: string | null }): boolean =>
  agent.enabled && agent.stopped_at === null && agent.team_stopped_at === null;
