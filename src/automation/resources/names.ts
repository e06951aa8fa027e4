import type { Static } from 'typebox';
import type { ReadScope } from '../../platform/scope.ts';
import { kinds } from './kinds.ts';
import type { names } from './schemas.ts';

/**
 * Returns types and names of the resources that the caller may view, in the order of the identifiers. An identifier that the caller may not view is
 * missing, as an unknown one is. A user can always read their own name.
 */
export async function namesOf(scope: ReadScope, scopes: ReadonlySet<string>, given: readonly string[]): Promise<Static<typeof names>> {
  const ids = [...new Set(given.map((id) => id.toLowerCase()))];
  const own = ids.filter((id) => scope.actor.type === 'user' && id === scope.actor.id);
  const found = await Promise.all(
    Object.entries(kinds).map(async ([type, kind]) => {
      const readable = scopes.has(kind.scope) ? ids : type === 'user' ? own : [];
      const rows = readable.length === 0 ? [] : await kind.names(scope, readable);
      return rows.map(
        ({ id, name }) => [id, { id, type: type as keyof typeof kinds, ...(name === null ? formerMember : { name }) }] as const,
      );
    }),
  );
  const known = new Map(found.flat());
  return { names: ids.flatMap((id) => known.get(id) ?? []) };
}

/** Only users keep a row without a name. */
const formerMember = { left: true } as const;
