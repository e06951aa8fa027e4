export type Role = 'owner' | 'admin' | 'member' | 'viewer' | 'guest' | 'auditor';

/** Roles that manage a team: its members, API clients and connections to providers. */
export const managers: readonly Role[] = ['owner', 'admin'];

const areas = [
  'profile',
  'team',
  'folders',
  'documents',
  'matters',
  'workflows',
  'tasks',
  'signatures',
  'interfaces',
  'registries',
  'webhooks',
  'agents',
  'audit',
];
const everything = [...areas.flatMap((area) => [`${area}:read`, `${area}:write`]), 'agents:run', 'evidence:read'];
/** All existing scopes: `<area>:read` and `<area>:write` of each area, and those of single operations. */
export const knownScopes: readonly string[] = everything;
const notForMembers = new Set(['team:write', 'webhooks:read', 'webhooks:write', 'agents:write', 'audit:read', 'audit:write']);
/** A viewer manages their own profile, reads shared resources, and completes tasks assigned to them. */
const viewer = [
  'profile:read',
  'profile:write',
  'team:read',
  'folders:read',
  'documents:read',
  'matters:read',
  'workflows:read',
  'tasks:read',
  'tasks:write',
  'interfaces:read',
  'registries:read',
];

/** A guest works on the folders, matters, documents and tasks that were shared with them. */
const guest = [
  'profile:read',
  'profile:write',
  'folders:read',
  'documents:read',
  'documents:write',
  'matters:read',
  'workflows:read',
  'tasks:read',
  'tasks:write',
];
/** An auditor reads the resources of their seat, and the journal about them. */
const auditor = ['profile:read', 'profile:write', 'folders:read', 'documents:read', 'audit:read'];

const scopesOf: Record<Role, string[]> = {
  owner: everything,
  admin: everything,
  member: everything.filter((scope) => !notForMembers.has(scope)),
  viewer,
  guest,
  auditor,
};

/** Whether a membership with this role has an end. Such a member owns no team, and no program acts for them. */
export const hasEnd = (role: string | undefined): boolean => role === 'guest' || role === 'auditor';

/** Whether agents and connected apps may change things for a user with this role. Viewers cannot complete the approval tasks. */
export const mayAutomate = (role: string | undefined): boolean => role !== 'viewer' && !hasEnd(role);

/** Returns the scopes of a role in its tokens. Access to a single resource depends on the user’s relation to it. */
export function scopesOfRole(role: Role): readonly string[] {
  return scopesOf[role];
}

export function isRole(value: string | undefined): value is Role {
  return value !== undefined && Object.hasOwn(scopesOf, value);
}
