/** Scopes for reading that an app can request. */
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
/** Scopes for changes that an app can request. Each scope has tools, and the user approves each call. */
export const changingScopes: readonly string[] = ['tasks:write', 'workflows:write', 'registries:write'];
/** All scopes that an app can request. */
export const offeredScopes: readonly string[] = [...readingScopes, ...changingScopes];
/** The scopes of an app that requests no scopes by name. */
export const usualScopes: readonly string[] = readingScopes.slice(0, 6);

export const changes = (scope: string): boolean => changingScopes.includes(scope);

/**
 * Returns the offered scopes among `wanted`. A scope for changes includes the read scope of the resource, because calls refer to resources and return
 * them.
 */
export function scopesAmong(wanted: readonly string[]): string[] {
  const also = wanted.filter(changes).map((scope) => scope.replace(/:write$/, ':read'));
  return offeredScopes.filter((scope) => wanted.includes(scope) || also.includes(scope));
}
