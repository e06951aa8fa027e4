import { managers } from '#accounts';

/** Access to agents for reading. */
export const agentReaders = { access: { kind: 'user', scope: 'agents:read' } } as const;

/** Access for the owner, administrators, and API clients that can read agents. */
export const agentOverseers = { access: { kind: 'user', scope: 'agents:read', roles: managers } } as const;

/**
 * Access to change agents: persons with the scope, which only the owner and administrators have.
 * API clients are excluded, because the instructions of an agent control how it uses the rights of its users.
 */
export const agentManagers = { access: { kind: 'user', scope: 'agents:write', person: true } } as const;
