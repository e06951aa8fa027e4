/** A person's place in a team. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Who manages a team: its people, API clients and connections to providers. */
export const managers: readonly Role[] = ['owner', 'admin'];

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
const notForMembers = new Set(['team:write', 'webhooks:read', 'webhooks:write', 'agents:write', 'audit:read', 'audit:write']);
/** A viewer manages their own profile, reads what was given to them, and completes the tasks that they hold. */
const viewer = [
  'profile:read',
  'profile:write',
  'team:read',
  'folders:read',
  'documents:read',
  'workflows:read',
  'tasks:read',
  'tasks:write',
  'interfaces:read',
  'registries:read',
];

const scopesOf: Record<Role, string[]> = {
  owner: everything,
  admin: everything,
  member: everything.filter((scope) => !notForMembers.has(scope)),
  viewer,
};

/** The scopes a role carries in its tokens. What one may do with a thing, its relation to the person decides. */
export function scopesOfRole(role: Role): readonly string[] {
  return scopesOf[role];
}

export function isRole(value: string | undefined): value is Role {
  return value !== undefined && Object.hasOwn(scopesOf, value);
}
