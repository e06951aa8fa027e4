/** A person's place in a team. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

const areas = [
  'profile',
  'team',
  'folders',
  'documents',
  'workflows',
  'tasks',
  'signatures',
  'interfaces',
  'registries',
  'webhooks',
  'agents',
  'audit',
];
const everything = areas.flatMap((area) => [`${area}:read`, `${area}:write`]);
/** Every scope there is: `<area>:read` and `<area>:write`. */
export const knownScopes: readonly string[] = everything;
const notForMembers = new Set(['team:write', 'webhooks:write', 'agents:write', 'audit:read', 'audit:write']);
// A viewer still manages their own profile and password.
const viewer = [...everything.filter((scope) => scope.endsWith(':read')), 'profile:write'];

const scopesOf: Record<Role, string[]> = {
  owner: everything,
  admin: everything,
  member: everything.filter((scope) => !notForMembers.has(scope)),
  viewer,
};

/** The scopes a role carries in its tokens (decisions, section 2). */
export function scopesOfRole(role: Role): readonly string[] {
  return scopesOf[role];
}

export function isRole(value: string | undefined): value is Role {
  return value !== undefined && Object.hasOwn(scopesOf, value);
}
