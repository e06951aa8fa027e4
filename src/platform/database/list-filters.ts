import { storableText } from '../text.ts';

/** The search parameters of a list, as `searchFilter` and `idsFilter` of `platform/http/page.ts` declare them. */
export type ListSearch = { q?: string | undefined; ids?: string[] | undefined };
/** The parameters of {@link matches} and {@link isListed} in a statement. */
export type ListSearchParams = { q: string | null; ids: readonly string[] | null };

export const searchParams = ({ q, ids }: ListSearch): ListSearchParams => ({
  q: q === undefined ? null : storableText(q),
  ids: ids ?? null,
});

/**
 * Returns an SQL condition: one of the texts contains `$q`, in upper or lower case. Without `$q` it is true. An index on trigrams (`pg_trgm`) would not
 * help: its operators are not leakproof, so PostgreSQL does not use it under row-level security.
 */
export const matches = (...texts: string[]): string =>
  `($q::text IS NULL OR ${texts.map((text) => `position(lower($q) IN lower(${text})) > 0`).join(' OR ')})`;

/** Returns an SQL condition: the identifier is one of `$ids`. Without `$ids` it is true. */
export const isListed = (id: string): string => `($ids::uuid[] IS NULL OR ${id} = ANY ($ids))`;

/** Returns the rows of a table with one of `$ids`, found by the primary key. A list reads them instead of the table. */
export const listedRows = (table: string): string =>
  `(SELECT o.* FROM ${table} o WHERE o.team_id = $team AND o.id = ANY ($ids::uuid[]) OFFSET 0)`;

/** How a list finds its rows: along the indexes of its table, or by identifiers. Each way is a separate statement. */
export type ListedBy = 'all' | 'ids';
export const listedBy = ({ ids }: ListSearch): ListedBy => (ids ? 'ids' : 'all');
export const eachListedBy = <T>(make: (by: ListedBy) => T): Record<ListedBy, T> => ({ all: make('all'), ids: make('ids') });
