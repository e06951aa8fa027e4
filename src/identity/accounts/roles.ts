export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/** Roles that manage a team: its members, API clients and connections to providers. */
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
/** All existing scopes: `<area>:read` and `<area>:write`. */
export const knownScopes: readonly string[] = everything;
const notForMembers = new Set(['team:write', 'webhooks:read', 'webhooks:write', 'agents:write', 'audit:read', 'audit:write']);
/** A viewer manages their own profile, reads shared resources, and completes tasks assigned to them. */
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

/** Returns the scopes of a role in its tokens. Access to a single resource depends on the user’s relation to it. */
export function scopesOfRole(role: Role): readonly string[] {
  return scopesOf[role];
}

export function isRole(value: string | undefined): value is Role {
  return value !== undefined && Object.hasOwn(scopesOf, value);
}
