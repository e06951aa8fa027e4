/** The roles that the list of members selects. */
export const memberRoles = ['owner', 'admin', 'member', 'viewer', 'guest', 'auditor'] as const;
export type MemberRole = (typeof memberRoles)[number];
/** The filters of the list of members, which are in its address. */
export type MemberSearch = { q?: string; role?: MemberRole };

/** Reads the filters of an address. Unknown values are left out. */
export function memberSearch({ q, role }: Record<string, unknown>): MemberSearch {
  const found = memberRoles.find((one) => one === role);
  return { ...(typeof q === 'string' && q !== '' ? { q: q.slice(0, 200) } : {}), ...(found ? { role: found } : {}) };
}
