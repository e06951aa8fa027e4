import { problems } from './problems.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The identifier that sorts first in the database. */
export const smallestId = '00000000-0000-0000-0000-000000000000';
/** The identifier that sorts last in the database. */
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** Returns the identifier of a path in lower case. Throws 404 for a malformed identifier, as for an unknown one. */
export function pathId(value: string, thing: string): string {
  if (!isUuid(value)) throw notFound(thing);
  return value.toLowerCase();
}

/** Returns the spellings to search for an external identifier: as sent, and as PostgreSQL writes a UUID. */
export function spellings(value: string | undefined): string[] | null {
  if (value === undefined) return null;
  return isUuid(value) ? [...new Set([value, value.toLowerCase()])] : [value];
}

/** Returns the same 404 error for resources that do not exist, were deleted, or belong to another team. */
export function notFound(thing: string) {
  return problems.not_found(`There is no ${thing} with this identifier that you can see. Check the identifier.`);
}
