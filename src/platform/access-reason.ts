/** The reason why an actor may access a resource, as the journal records it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'audit' | 'role' | 'client' | 'system';

/** The detail in the journal for an action that only the role of the actor in the team allowed. */
export const roleOnly = { via: 'role' } as const;
