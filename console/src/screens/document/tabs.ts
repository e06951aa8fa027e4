export const documentTabs = ['read', 'versions', 'workflow', 'signatures', 'dates', 'access', 'history'] as const;
export type DocumentTab = (typeof documentTabs)[number];
/** The tab of the page; `version` is the one to read, and `from` and `to` are the ones to compare. */
export type DocumentPageSearch = { tab?: DocumentTab; version?: number; from?: number; to?: number };

const numberOf = (value: unknown) => {
  const number = Number(value);
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
};

export function documentPageSearch(search: Record<string, unknown>): DocumentPageSearch {
  const tab = documentTabs.find((one) => one === search.tab);
  const [version, from, to] = [search.version, search.from, search.to].map(numberOf);
  return {
    ...(tab ? { tab } : {}),
    ...(version === undefined ? {} : { version }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}
