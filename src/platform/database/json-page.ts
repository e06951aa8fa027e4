import { sqlStatement, type Statement } from './statement.ts';

/**
 * Maximum size of a list response in bytes. A page ends before this size, and the next page continues. Writing 16 MiB blocks the event loop for about
 * 50 ms, which would delay other teams.
 */
export const maxListBytes = 4 * 1024 * 1024;

/** The row that a statement of {@link pageStatement} returns, also for an empty list. */
export type PageRow = {
  /** The JSON array as text. The service sends it without parsing. */
  body: string;
  /** The sort key of the last item on the page, for the cursor of the next page. */
  last: string[] | null;
  /** Whether another page follows. */
  more: boolean;
};

/** A page of a list. `total` is the number of items up to `$limit`, in a count: see {@link pageStatement}. */
export type ListPage = PageRow & { total?: number };

const built = (how: 'json' | 'jsonb', members: Record<string, string>) =>
  `${how}_build_object(${Object.entries(members)
    .map(([member, value]) => `'${member}', ${value}`)
    .join(', ')})`;

/** Returns an expression for a JSON object from the expressions of its members. */
export const jsonObject = (members: Record<string, string>): string => built('json', members);

/**
 * Returns an expression for a list item as JSON text. Members that are NULL are omitted, also inside the JSON of a member. `whole` lists members with
 * JSON of a user, which stays unchanged. The SQL function `json_text` takes half the time of `json_strip_nulls(json_build_object(…))`. A value of an
 * unsupported type makes the preparation of the statement fail.
 */
export function jsonThing(members: Record<string, string>, whole: Record<string, string> = {}): string {
  const written =
    (value: (expression: string) => string) =>
    ([member, expression]: [string, string]) =>
      `',"${member}":' || ${value(expression)}`;
  const all = [
    ...Object.entries(members).map(written((expression) => `json_text(${expression})`)),
    ...Object.entries(whole).map(written((expression) => `(${expression})::text`)),
  ];
  return `('{' || substr(concat(${all.join(', ')}), 2) || '}')`;
}

type PageParts = {
  from: string;
  item: string;
  order: string;
  key: readonly string[];
  /** The common table expression whose rows a count counts. Default: `from`. */
  counted?: string;
};

/**
 * Creates the statement of a list from its common table expressions and the parts of {@link jsonPage}. `counts` counts the items of the list with the
 * same conditions, up to `$limit`. Its `body` is the number, and `more` tells whether there are more.
 */
export function pageStatement<Params extends object>(ctes: string, { counted, ...page }: PageParts): Statement<Params, PageRow> {
  return {
    ...sqlStatement<Params, PageRow>(`${ctes},\n${jsonPage(page)}`),
    counts: sqlStatement<Params, PageRow>(
      `${ctes}\nSELECT least(count(*), $limit)::text AS body, NULL::json AS last, count(*) > $limit AS more FROM ${counted ?? page.from}`,
    ),
  };
}

/**
 * Returns the end of a statement that returns a page of a list as JSON text. The page has fewer than `$limit` items if they would exceed {@link
 * maxListBytes}, but at least one. This also limits the memory of the database and of the service.
 *
 * @param from a common table expression with at most `$limit + 1` rows
 * @param item an expression for the JSON of one row: see {@link jsonThing}
 * @param order the ORDER BY expressions, such as `updated_at DESC, id DESC`
 * @param key expressions, as text, of the sort key in the cursor
 */
export function jsonPage({ from, item, order, key }: Omit<PageParts, 'counted'>): string {
  return `written AS (
      SELECT json_build_array(${key.join(', ')}) AS key, (${item})::text AS item, row_number() OVER (ORDER BY ${order}) AS n FROM ${from}
    ),
    measured AS (SELECT key, item, n, sum(octet_length(item) + 1) OVER (ORDER BY n) AS upto FROM written)
    SELECT '[' || coalesce(string_agg(item, ',' ORDER BY n), '') || ']' AS body,
      (array_agg(key ORDER BY n DESC))[1] AS last, (SELECT count(*) FROM measured) > count(*) AS more
    FROM measured WHERE n <= $limit AND (n = 1 OR upto <= ${maxListBytes})`;
}
