/** What a program may be allowed to read for a person: what the work is about. */
export const readingScopes: readonly string[] = [
  'folders:read',
  'documents:read',
  'workflows:read',
  'tasks:read',
  'interfaces:read',
  'registries:read',
  'team:read',
  'audit:read',
];
/** What a program may be allowed to change for a person, who approves each call: what there are tools for. */
export const changingScopes: readonly string[] = ['tasks:write', 'workflows:write', 'registries:write'];
/** All that a program may be allowed to do for a person. */
export const offeredScopes: readonly string[] = [...readingScopes, ...changingScopes];
/** What a program is allowed that asks for nothing by name. */
export const usualScopes: readonly string[] = readingScopes.slice(0, 6);

/** Whether a scope is one for changing things. */
export const changes = (scope: string): boolean => changingScopes.includes(scope);

/** What of these scopes may be allowed at all. Who is to change things of a kind reads them as well: a call names them, and answers with them. */
export function scopesAmong(wanted: readonly string[]): string[] {
  const also = wanted.filter(changes).map((scope) => scope.replace(/:write$/, ':read'));
  return offeredScopes.filter((scope) => wanted.includes(scope) || also.includes(scope));
}
