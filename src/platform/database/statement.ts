import { createHash } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import type { DB } from './tables.ts';

/**
 * The query builder, for statements that are built for one call, such as a list with filters. It only writes SQL. A transaction or reader runs the
 * statements, so no query can leave the tenant isolation.
 */
export const build = new Kysely<DB>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

/** The parameters of a statement about a team. */
export type TeamParams = { team: string };

/** The parameters of a statement about one resource of a team. */
export type TeamScopedId = { team: string; id: string };

/** A statement that is compiled once. `name` is a hash of its text; each connection prepares it under this name. */
export type Statement<Params, Row> = {
  readonly name: string;
  readonly text: string;
  readonly values: (params: Params) => unknown[];
  /** Counts the items of a list: see `pageStatement`. */
  readonly counts?: Statement<Params, Row>;
  /** Carries the row type. Never set. */
  readonly row?: Row;
};

/**
 * The diagnostics channel that publishes each new statement as {@link MadeStatement}. `test/statements` prepares all statements against the migrated
 * schema and compares the types of PostgreSQL with the declared types.
 */
export const madeStatements = channel('chancery:statements');

/**
 * A new statement. `parameters` are the names of `$1`, `$2` and so on; undefined for a value that the query builder added.
 * For `because` see {@link sqlStatement}.
 */
export type MadeStatement = {
  text: string;
  parameters: readonly (string | undefined)[];
  because: Readonly<Record<string, string | undefined>>;
};

function announceStatement(made: MadeStatement): void {
  if (madeStatements.hasSubscribers) madeStatements.publish(made);
}

/** Returns a parameter value. Throws if it is missing, because a misspelled parameter would be sent as NULL, which disables many filters. */
function given(params: object, member: string): unknown {
  const value = (params as Record<string, unknown>)[member];
  if (value === undefined) throw new TypeError(`The parameter $${member} of the statement is missing. Pass null for no value`);
  return value;
}

/** Returns the name for a prepared statement. PostgreSQL parses unnamed statements at every call. */
export function statementName(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 24);
}

/**
 * Creates a statement: `$name` in the text is the parameter `name`. A name can occur several times. Placeholders inside quotes
 * are replaced too, so pass such values as parameters. A missing parameter throws. `test/statements` compares the declared types with PostgreSQL.
 *
 * @param because the reason why a column has a narrower type than PostgreSQL reports, for example why it is never null
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

/** Rows in the form for `unnest`: an array per column. */
export type Columns<Row extends object> = { [Name in keyof Row]: Row[Name][] };

/** @param rows at least one row; all have the same members */
export function columnsOf<Row extends object>(rows: readonly [Row, ...Row[]]): Columns<Row> {
  const names = Object.keys(rows[0]) as (keyof Row)[];
  return Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])])) as Columns<Row>;
}
