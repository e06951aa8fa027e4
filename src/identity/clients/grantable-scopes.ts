import { knownScopes } from '#accounts';
import { seesFolder } from '#folders';
import type { Scope } from '../../platform/scope.ts';
import { scopeNotGranted } from './client-mapper.ts';
import { type GrantorScopes, scopesBeyond, scopesPastFolders } from './policy.ts';
import { clientProblems } from './problems.ts';

// What whoever makes a program, an API client or an agent, may give it.

/** Scopes as they are kept: known, each once, in the order of the areas; those that are new must be held by the giver. */
export function grantable(wanted: readonly string[], kept: readonly string[], grantorScopes: GrantorScopes): string[] {
  const unknown = wanted.filter((scope) => !knownScopes.includes(scope));
  if (unknown.length > 0) {
    throw clientProblems.unknown_scope(`There is no scope ${unknown.slice(0, 5).join(', ')}. The scopes are listed as scopes_supported.`, {
      errors: [{ name: 'scopes', pointer: '/scopes', reason: 'names a scope that does not exist', rule: 'scope' }],
    });
  }
  const beyond = scopesBeyond(
    wanted.filter((scope) => !kept.includes(scope)),
    grantorScopes,
  );
  if (beyond.length > 0) throw scopeNotGranted(beyond);
  return knownScopes.filter((scope) => wanted.includes(scope));
}

type Confinement = { wanted: readonly string[] | null; kept: readonly string[] };

/** The folders a program is confined to, each once; null for none. Those that are added must be there, for who names them to see. */
export async function confinement(scope: Scope, { wanted, kept }: Confinement, scopes: readonly string[]): Promise<string[] | null> {
  const ids = wanted && [...new Set(wanted.map((id) => id.toLowerCase()))];
  if (ids === null) return null;
  const past = scopesPastFolders(scopes);
  if (past.length > 0)
    throw clientProblems.scope_not_confinable(
      `${past.join(', ')} would show what happens outside \`folderIds\`. Leave out the one or the other.`,
    );
  const seen = await Promise.all(ids.map(async (id) => kept.includes(id) || (await seesFolder(scope, id))));
  const missing = ids.find((_, at) => !seen[at]);
  if (missing !== undefined) throw clientProblems.folder_not_found(`${missing} is no folder of your team. List the folders and check it.`);
  return ids;
}
