import { managers } from '#accounts';

/** Who may see agents. */
export const agentReaders = { access: { kind: 'user', scope: 'agents:read' } } as const;

/** Who sees what only those who administer agents need: owner and administrators, and API clients that may read agents. */
export const agentOverseers = { access: { kind: 'user', scope: 'agents:read', roles: managers } } as const;

/**
 * Who may change them: persons with the scope, which owner and administrators alone carry. Whoever writes what an agent is told
 * directs what it does with the rights of those it acts for, so no program does.
 */
export const agentManagers = { access: { kind: 'user', scope: 'agents:write', person: true } } as const;
