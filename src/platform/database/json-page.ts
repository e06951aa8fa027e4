/**
 * An answer that is a list takes at most so many bytes: its page ends before, and the next one goes on. A node that writes 16
 * MiB answers nobody else for some 50 ms, which the neighbours of a team with large lists would feel.
 */
export const maxListBytes = 4 * 1024 * 1024;

/** What a statement with {@link jsonPage} returns: one row, also where there is nothing to list. */
export type ListPage = {
  /** The JSON array, written by the database: nothing is left to serialise. */
  body: string;
  /** Where the last thing of the page stands, for the cursor of the next. */
  last: string[] | null;
  /** Whether another page follows. */
  more: boolean;
};

const built = (how: 'json' | 'jsonb', members: Record<string, string>) =>
  `${how}_build_object(${Object.entries(members)
    .map(([member, value]) => `'${member}', ${value}`)
    .join(', ')})`;

/** A JSON object as an expression: each member with the expression of its value. */
export const jsonObject = (members: Record<string, string>): string => built('json', members);

/**
 * A thing of a list as answers show it, as an expression of JSON text. A member that is NULL is left out, also within the JSON of a member.
 * `whole` are members with JSON of a user, which stays as it is. The SQL function `json_text` writes a value by its type, which takes half the time
 * of `json_strip_nulls(json_build_object(…))`. A value of a type that it does not know fails the preparation of the statement.
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

/**
 * The end of a statement that answers a page of a list as JSON text. It ends before `$limit` things where they would be
 * more than {@link maxListBytes}, but never without one: neither the database nor the service holds more than that.
 *
 * @param from a common table expression with at most `$limit + 1` rows
 * @param item an expression for one thing as JSON, over a row of it: see {@link jsonThing}
 * @param order how they follow one another, over a row of it, such as `updated_at DESC, id DESC`
 * @param key expressions, as text, for where a row stands: what the cursor holds
 */
export function jsonPage({ from, item, order, key }: { from: string; item: string; order: string; key: readonly string[] }): string {
  return `written AS (
      SELECT json_build_array(${key.join(', ')}) AS key, (${item})::text AS item, row_number() OVER (ORDER BY ${order}) AS n FROM ${from}
    ),
    measured AS (SELECT key, item, n, sum(octet_length(item) + 1) OVER (ORDER BY n) AS upto FROM written)
    SELECT '[' || coalesce(string_agg(item, ',' ORDER BY n), '') || ']' AS body,
      (array_agg(key ORDER BY n DESC))[1] AS last, (SELECT count(*) FROM measured) > count(*) AS more
    FROM measured WHERE n <= $limit AND (n = 1 OR upto <= ${maxListBytes})`;
}
