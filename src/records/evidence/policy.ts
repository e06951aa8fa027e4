/** The scopes to request and read a pack: the scope of packs, and the scopes of their content. */
export const packScopes: readonly string[] = ['evidence:read', 'documents:read', 'workflows:read', 'tasks:read', 'signatures:read'];

/** The number of packs that a team may have in progress, and that a person or API client may request in 24 hours. */
export const most = { atOnce: 2, aDay: { user: 5, client: 100 } } as const;
