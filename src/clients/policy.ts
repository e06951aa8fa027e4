/** What whoever makes or changes a client may do themself. `folderIds` are those they are confined to, if they are. */
export type Held = { scopes: ReadonlySet<string>; folderIds: readonly string[] | undefined };

/** The scopes among `wanted` that the giver does not have: nobody gives what they do not hold. */
export function scopesBeyond(wanted: readonly string[], held: ReadonlySet<string>): string[] {
  return wanted.filter((scope) => !held.has(scope));
}

/** Whether a confinement (null is none) reaches past that of the giver. */
export function foldersBeyond(wanted: readonly string[] | null, { folderIds }: Held): boolean {
  if (folderIds === undefined) return false;
  return wanted === null || wanted.some((id) => !folderIds.includes(id));
}

/** What shows the whole team's doings, whatever folder they happen in: no client is confined and has it too. */
const unconfinable: readonly string[] = ['audit:read', 'audit:write', 'webhooks:read', 'webhooks:write'];

/** The scopes that a client confined to folders cannot have. */
export function scopesPastFolders(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => unconfinable.includes(scope));
}
