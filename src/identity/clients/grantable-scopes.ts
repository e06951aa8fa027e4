import { knownScopes } from '#accounts';
import { seesFolder } from '#folders';
import type { Scope } from '../../platform/scope.ts';
import { scopeNotGranted } from './client-mapper.ts';
import { type GrantorScopes, scopesBeyond, scopesPastFolders } from './policy.ts';
import { clientProblems } from './problems.ts';

// The rights that a user can grant to an API client or an agent.

/** Returns the scopes to store: known, unique and in the order of the areas. Throws if the grantor lacks a new one. */
export function grantable(wanted: readonly string[], kept: readonly string[], grantorScopes: GrantorScopes): string[] {
  const unknown = wanted.filter((scope) => !knownScopes.includes(scope));
  if (unknown.length > 0) {
    throw clientProblems.unknown_scope(
      `Unknown scope ${unknown.slice(0, 5).join(', ')}. The server metadata lists all as scopes_supported.`,
      {
        errors: [{ name: 'scopes', pointer: '/scopes', reason: 'has an unknown scope', rule: 'scope' }],
      },
    );
  }
  const beyond = scopesBeyond(
    wanted.filter((scope) => !kept.includes(scope)),
    grantorScopes,
  );
  if (beyond.length > 0) throw scopeNotGranted(beyond);
  return knownScopes.filter((scope) => wanted.includes(scope));
}

type Confinement = { wanted: readonly string[] | null; kept: readonly string[] };

/** Returns the folders that confine a client or an agent, without duplicates, or null. Throws if the caller cannot see an added folder. */
export async function confinement(scope: Scope, { wanted, kept }: Confinement, scopes: readonly string[]): Promise<string[] | null> {
  const ids = wanted && [...new Set(wanted.map((id) => id.toLowerCase()))];
  if (ids === null) return null;
  const past = scopesPastFolders(scopes);
  if (past.length > 0)
    throw clientProblems.scope_not_confinable(
      `${past.join(', ')} would disclose actions outside \`folderIds\`. Omit these scopes or \`folderIds\`.`,
    );
  const seen = await Promise.all(ids.map(async (id) => kept.includes(id) || (await seesFolder(scope, id))));
  const missing = ids.find((_, at) => !seen[at]);
  if (missing !== undefined)
    throw clientProblems.folder_not_found(`${missing} is not a folder of your team. List the folders and check it.`);
  return ids;
}
