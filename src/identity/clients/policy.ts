/** The scopes of whoever makes or changes a client. */
export type GrantorScopes = ReadonlySet<string>;

/** The scopes among `wanted` that the giver does not have: nobody gives what they do not hold. */
export function scopesBeyond(wanted: readonly string[], grantorScopes: ReadonlySet<string>): string[] {
  return wanted.filter((scope) => !grantorScopes.has(scope));
}

type Rights = {
  scopes: readonly string[];
  folderIds: readonly string[] | null;
  expiresAt: string | null;
  isActive: boolean;
  mcpApproval: string;
};

/** Whether a change gives a client anything: taking away is for whoever is in a hurry. */
export function gives(before: Rights, after: Rights): boolean {
  const wider =
    after.folderIds === null ? before.folderIds !== null : after.folderIds.some((id) => before.folderIds?.includes(id) === false);
  const longer = before.expiresAt !== null && (after.expiresAt === null || Date.parse(after.expiresAt) > Date.parse(before.expiresAt));
  const freer = after.mcpApproval === 'never' && before.mcpApproval !== 'never';
  return freer || wider || longer || (after.isActive && !before.isActive) || after.scopes.some((scope) => !before.scopes.includes(scope));
}

/** What shows the whole team's doings, whatever folder they happen in: no client is confined and has it too. */
const unconfinable: readonly string[] = ['audit:read', 'audit:write', 'webhooks:read', 'webhooks:write'];

/** The scopes that a client confined to folders cannot have. */
export function scopesPastFolders(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => unconfinable.includes(scope));
}
