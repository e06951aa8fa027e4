import { problems } from './problems.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Before all others in the order of the database: where a walk along identifiers begins. */
export const smallestId = '00000000-0000-0000-0000-000000000000';
/** After all others. */
export const largestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export function isUuid(value: string): boolean {
  return uuid.test(value);
}

/** An identifier taken from a path: what cannot be one names nothing, so that the answer is the same 404. */
export function pathId(value: string, thing: string): string {
  if (!isUuid(value)) throw notFound(thing);
  return value.toLowerCase();
}

/** The spellings by which a list finds an identifier that another system may have given: as it was sent, and as the database writes a UUID. */
export function spellings(value: string | undefined): string[] | null {
  if (value === undefined) return null;
  return isUuid(value) ? [...new Set([value, value.toLowerCase()])] : [value];
}

/** The one answer for what does not exist, was deleted, or belongs to somebody else. */
export function notFound(thing: string) {
  return problems.not_found(`There is no ${thing} with this identifier that you can see. Check the identifier.`);
}
