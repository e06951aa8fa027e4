/** The reason why an actor may access a resource, as the journal records it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/** Journal detail of an action that only the actor's role in the team allowed. */
export const roleOnly = { via: 'role' } as const;
