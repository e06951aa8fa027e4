import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DB } from './tables.ts';

/**
 * The query builder, for what is built for one call alone, such as a list with filters. It writes SQL and never runs any: statements are run by a transaction or a reader, so that no
 * query can leave the team's confinement.
 */
export const build = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The parameters of a statement about one resource of a team. */
export type TeamScopedId = { team: string; id: string };

/** A statement compiled once: `name` is a hash of its text, under which each connection keeps it prepared. */
export type Statement<Params, Row> = {
  readonly name: string;
  readonly text: string;
  readonly values: (params: Params) => unknown[];
  /** Carries the row type; never set. */
  readonly row?: Row;
};

/**
 * Where each statement is told of when it is made, as {@link MadeStatement}: `test/statements` subscribes, prepares all of them
 * against the migrated schema and compares what PostgreSQL says with the types that are claimed.
 */
export const madeStatements = channel('chancery:statements');

/**
 * A statement that was made; `parameters` are the names of `$1`, `$2` and so on, nothing for a value that a query was built
 * with; `because` see {@link sqlStatement}.
 */
export type MadeStatement = {
  text: string;
  parameters: readonly (string | undefined)[];
  because: Readonly<Record<string, string | undefined>>;
};

function announceStatement(made: MadeStatement): void {
  if (madeStatements.hasSubscribers) madeStatements.publish(made);
}

/** One of the values a statement is run with. A misspelt one would be sent as NULL, which turns many a filter off. */
function given(params: object, member: string): unknown {
  const value = (params as Record<string, unknown>)[member];
  if (value === undefined) throw new TypeError(`the statement was given no $${member}; what is absent is null`);
  return value;
}

/** The name a connection keeps a text prepared under: unnamed statements are parsed anew at every call. */
export function statementName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}

/**
 * A statement: `$name` in the text stands for the member `name` of the parameters. A name may be used several times. Text in
 * quotes is not looked into: pass such values as parameters. One that is not given fails the run. What is claimed is compared with what PostgreSQL says by `test/statements`.
 *
 * @param because for a column that is claimed to be less than PostgreSQL tells of it, such as never null, why that is so
 */
export function sqlStatement<Params extends object, Row>(
  text: string,
  because?: Readonly<Partial<Record<keyof Row & string, string>>>,
): Statement<Params, Row> {
  const members: string[] = [];
  const numbered = text.replaceAll(/\$([a-zA-Z]\w*)/g, (_, member: string) => {
    const at = members.indexOf(member);
    return `$${at === -1 ? members.push(member) : at + 1}`;
  });
  announceStatement({ text: numbered, parameters: members, because: because ?? {} });
  return {
    name: statementName(numbered),
    text: numbered,
    values: (params) => members.map((member) => given(params, member)),
  };
}

/** Rows as a statement over `unnest` takes them: a list of each column. */
export type Columns<Row extends object> = { [Name in keyof Row]: Row[Name][] };

/** @param rows at least one, all with the same members */
export function columnsOf<Row extends object>(rows: readonly [Row, ...Row[]]): Columns<Row> {
  const names = Object.keys(rows[0]) as (keyof Row)[];
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) as Columns<Row>;
}
