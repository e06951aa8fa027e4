/** What opened a thing: the word the journal has for it. */
export type Via = 'owner' | 'share' | 'task' | 'record' | 'role' | 'client' | 'system';

/** What an entry has of an act that only the actor's role in the team allowed. */
export const roleOnly = { via: 'role' } as const;
