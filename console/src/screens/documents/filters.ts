/** The states that a filter selects. */
export const documentStates = ['draft', 'in_review', 'approved', 'signed', 'archived'] as const;
export const documentSorts = ['-updatedAt', 'title', '-title', '-createdAt'] as const;

type DocumentState = (typeof documentStates)[number];
type DocumentSort = (typeof documentSorts)[number];
/** The filters of the list, which are in its address. */
export type DocumentFilters = { folder?: string; status?: DocumentState; label?: string; q?: string; sort?: DocumentSort };

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
const oneOf = <Value extends string>(values: readonly Value[], value: unknown) => values.find((one) => one === value);

/** Reads the filters of an address. Unknown values are left out. */
export function documentFilters(search: Record<string, unknown>): DocumentFilters {
  const [folder, label, q] = [search.folder, search.label, search.q].map(textOf);
  const status = oneOf(documentStates, search.status);
  const sort = oneOf(documentSorts, search.sort);
  return {
    ...(folder === undefined ? {} : { folder }),
    ...(status ? { status } : {}),
    ...(label === undefined ? {} : { label }),
    ...(q === undefined ? {} : { q }),
    ...(sort ? { sort } : {}),
  };
}
