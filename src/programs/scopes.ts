/** What a program may be allowed to do for a person: reading what the work is about. */
export const offeredScopes: readonly string[] = [
  'folders:read',
  'documents:read',
  'workflows:read',
  'tasks:read',
  'interfaces:read',
  'registries:read',
  'team:read',
  'audit:read',
];
/** What a program is allowed that asks for nothing by name. */
export const usualScopes: readonly string[] = offeredScopes.slice(0, 6);
