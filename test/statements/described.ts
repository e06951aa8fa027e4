/**
 * Describes a statement by PostgreSQL: the types of its parameters and columns. The parse tree of a function with the same text
 * shows nullable columns and the values of columns with a CHECK constraint. It also shows the members of JSON that the statement builds.
 */
import type pg from 'pg';
import { type Catalog, readCatalog } from './catalog.ts';
import { isNode, readTree, type TreeNode, type TreeValue } from './node-tree.ts';
import { outputOf, type OutputValue } from './outputs.ts';

/** The value of a column or parameter. `type` is the name in PostgreSQL, with `[]` for an array. */
export type DescribedValue = OutputValue & { type: string };

export type DescribedStatement = { parameters: string[]; columns: (DescribedValue & { name: string })[] };

export type Describer = {
  /** Rejects with the error of PostgreSQL if the text does not fit the schema. `nullable` states for each parameter whether it can be null. */
  describe(text: string, nullable: readonly boolean[]): Promise<DescribedStatement>;
  /** Plans a statement with a role. Rejects if the role lacks a permission. */
  plan(text: string, role: string): Promise<void>;
};

/** The members of the driver’s connection that this file uses (pg 8, lib/connection.js). */
type Wire = {
  parse(query: { name: string; text: string; types: number[] }): void;
  describe(what: { type: 'S'; name: string }): void;
  sync(): void;
  once(event: string, listener: (message: { dataTypeIDs: number[] }) => void): void;
};

type Columns = { name: string; dataTypeID: number }[];

/** Parses a statement without running it. Returns the types of its parameters and columns (PostgreSQL documentation, 54.2.3, Describe). */
function parse(client: pg.Client, text: string): Promise<{ parameters: number[]; columns: Columns }> {
  return new Promise((resolve, reject) => {
    let [parameters, columns]: [number[], Columns] = [[], []];
    const exchange = {
      submit(wire: Wire) {
        wire.once('parameterDescription', ({ dataTypeIDs }) => (parameters = dataTypeIDs));
        wire.parse({ name: '', text, types: [] });
        wire.describe({ type: 'S', name: '' });
        wire.sync();
      },
      handleRowDescription: ({ fields }: { fields: Columns }) => void (columns = fields),
      handleError: reject,
      handleReadyForQuery: () => resolve({ parameters, columns }),
    };
    client.query(exchange as never);
  });
}

/** Returns the parse tree of a function with this text as its body. */
async function treeOf(client: pg.Client, declaration: string): Promise<TreeNode | undefined> {
  await client.query(`CREATE FUNCTION pg_temp.described${declaration}`);
  const { rows } = await client.query<{ tree: string }>(
    "SELECT prosqlbody::text AS tree FROM pg_proc WHERE proname = 'described' AND pronamespace = pg_my_temp_schema()",
  );
  await client.query('DROP FUNCTION pg_temp.described');
  return firstQuery(readTree(rows[0]?.tree ?? ''));
}

function firstQuery(value: TreeValue): TreeNode | undefined {
  if (Array.isArray(value)) return value.map(firstQuery).findLast((one) => one !== undefined);
  return isNode(value) && value.kind === 'QUERY' ? value : undefined;
}

/** Returns the parse trees of the SQL functions of the schema by oid. Their results are analysed like parts of a statement. */
async function functionTrees(client: pg.Client, catalog: Catalog): Promise<Map<string, TreeNode>> {
  const trees = new Map<string, TreeNode>();
  for (const { oid, args, result, body } of catalog.functions) {
    const tree = await treeOf(client, `(${args}) RETURNS ${result} LANGUAGE sql BEGIN ATOMIC ${body.replace(/;\s*$/, '')}; END`);
    if (tree) trees.set(oid, tree);
  }
  return trees;
}

/** @param client a superuser connection to a migrated database without other users */
export async function openDescriber(client: pg.Client): Promise<Describer> {
  const catalog = await readCatalog(client);
  const trees = await functionTrees(client, catalog);
  // A generic plan does not depend on the values, which are null here.
  await client.query('SET plan_cache_mode = force_generic_plan');
  return {
    async describe(text, nullable) {
      const { parameters, columns } = await parse(client, text);
      const types = parameters.map((oid) => catalog.typeName(oid));
      if (columns.length === 0) return { parameters: types, columns: [] };
      const tree = await treeOf(client, `(${types.join(', ')}) RETURNS SETOF record LANGUAGE sql BEGIN ATOMIC ${text}; END`);
      if (!tree) throw new Error(`PostgreSQL has no parse tree of ${text}`);
      const output = outputOf(tree, { catalog, trees, parameters: types.map((_, at) => nullable[at] ?? true) });
      return {
        parameters: types,
        columns: columns.map(({ name, dataTypeID }, at) => ({ name, type: catalog.typeName(dataTypeID), nullable: true, ...output[at] })),
      };
    },
    async plan(text, role) {
      const { parameters } = await parse(client, text);
      const nothing = parameters.length > 0 ? `(${parameters.map(() => 'NULL').join(', ')})` : '';
      await client.query(`SET ROLE ${role}`);
      try {
        await client.query(`PREPARE planned AS ${text}`);
        await client.query(`EXPLAIN EXECUTE planned${nothing}`);
      } finally {
        await client.query('RESET ROLE; DEALLOCATE ALL');
      }
    },
  };
}
