/** The scopes of the user who creates or changes a client. */
export type GrantorScopes = ReadonlySet<string>;

/** Returns the scopes in `wanted` that the grantor lacks and therefore cannot grant. */
export function scopesBeyond(wanted: readonly string[], grantorScopes: ReadonlySet<string>): string[] {
  return wanted.filter((scope) => !grantorScopes.has(scope));
}

type Rights = {
  scopes: readonly string[];
  folderIds: readonly string[] | null;
  expiresAt: string | null;
  isActive: boolean;
  mcpApproval: string;
  approvalPolicy: string | null;
};

/** Whether a change extends the rights of a client. Only such changes need a recent sign-in, so that rights can be removed quickly. */
export function gives(before: Rights, after: Rights): boolean {
  const wider =
    after.folderIds === null ? before.folderIds !== null : after.folderIds.some((id) => before.folderIds?.includes(id) === false);
  const longer = before.expiresAt !== null && (after.expiresAt === null || Date.parse(after.expiresAt) > Date.parse(before.expiresAt));
  const freer =
    (after.mcpApproval === 'never' && before.mcpApproval !== 'never') ||
    (before.approvalPolicy !== null && after.approvalPolicy !== before.approvalPolicy);
  return freer || wider || longer || (after.isActive && !before.isActive) || after.scopes.some((scope) => !before.scopes.includes(scope));
}

/** Scopes that disclose actions in the whole team, so a confined client cannot have them. */
const unconfinable: readonly string[] = ['audit:read', 'audit:write', 'webhooks:read', 'webhooks:write'];

export function scopesPastFolders(scopes: readonly string[]): string[] {
  return scopes.filter((scope) => unconfinable.includes(scope));
}
