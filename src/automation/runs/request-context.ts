import { managers } from '#accounts';

/** Who sees jobs and runs: owner and administrators, and API clients that may read agents. */
export const jobReaders = { access: { kind: 'user', scope: 'agents:read', roles: managers } } as const;

/** Who changes jobs and has them run: persons alone. A job runs with somebody’s rights, and no program gives those. */
export const jobManagers = { access: { kind: 'user', scope: 'agents:write', person: true } } as const;

/** Who sees runs of their own, and has agents run: persons to whom an agent was given, and those who run the team. */
export const runUsers = { access: { kind: 'user', scope: 'agents:read', person: true } } as const;

/** Who sees one run: its owner, administrators and API clients. */
export const runReaders = { access: { kind: 'user', scope: 'agents:read' } } as const;

export const prefix = '/ws/api/agents';
export const tags = ['Agent jobs'];
