import { managers } from '#accounts';

/** Who can read jobs and runs: the owner, administrators, and API clients with the scope. */
export const jobReaders = { access: { kind: 'user', scope: 'agents:read', roles: managers } } as const;

/** Who can change and start jobs: persons only. A job runs with the rights of a person, which no API client can provide. */
export const jobManagers = { access: { kind: 'user', scope: 'agents:write', person: true } } as const;

/** Who can start agents and read their own runs: persons with access to the agent, the owner and administrators. */
export const runUsers = { access: { kind: 'user', scope: 'agents:read', person: true } } as const;

/** Who can start agents: persons with access to the agent, and API clients on behalf of a person who consented. */
export const runStarters = { access: { kind: 'user', scope: 'agents:run' } } as const;

/** Who can read a run: its owner, administrators and API clients. */
export const runReaders = { access: { kind: 'user', scope: 'agents:read' } } as const;

export const prefix = '/ws/api/agents';
export const tags = ['Agent jobs'];
