/**
 * Derives the possible values of each column of a query from its parse tree and the tables. The result states nullability, the possible
 * texts and the members of JSON that the query builds. If PostgreSQL does not state it, a value can be null.
 */
import type { Catalog } from './catalog.ts';
import { constantText, ofSome, partial, sublink, textOf, total, typeOf } from './expressions.ts';
import { nodeOf, nodesOf, targetsOf, type TreeNode, type TreeValue, wordOf } from './node-tree.ts';

export type Json = { members: Readonly<Record<string, OutputValue & { type: string }>> } | { element: OutputValue & { type: string } };

export type OutputValue = {
  nullable: boolean;
  /** The column is nullable, but a condition of the statement excludes null. */
  narrowed?: boolean;
  /** The member of JSON is omitted if it is null. */
  optional?: boolean;
  literals?: readonly string[] | undefined;
  json?: Json | undefined;
};

export type Context = {
  catalog: Catalog;
  /** Parse trees of the SQL functions of the schema, by oid. */
  trees: ReadonlyMap<string, TreeNode>;
  /** Whether each parameter can be null. */
  parameters: readonly boolean[];
};

/** A query and its outer queries. */
type Level = {
  query: TreeNode;
  outer: Level | undefined;
  context: Context;
  /** Tables on the side of an outer join that can have no row. */
  optional: ReadonlySet<string>;
  /** Columns that cannot be null because of a condition of the query, as `table.column` by number. */
  kept: ReadonlySet<string>;
};

const unknown: OutputValue = { nullable: true };
const known: OutputValue = { nullable: false };
/** Numbers of PostgreSQL enumerations (nodes/parsenodes.h, nodes/nodes.h, nodes/primnodes.h). */
const rte = { relation: '0', subquery: '1', join: '2', function: '3', values: '5', cte: '6', group: '9' };
const join = { inner: '0', left: '1', full: '2', right: '3' };

/** A cache of the outputs of subqueries, because each column from a subquery needs them. */
const foundInside = new WeakMap<Level, Map<TreeNode, OutputValue[]>>();

/** Returns the columns of a query in their order. */
export function outputOf(query: TreeNode, context: Context, outer?: Level): OutputValue[] {
  if (!outer) return columnsOf(query, context, outer);
  const before = foundInside.get(outer) ?? new Map<TreeNode, OutputValue[]>();
  foundInside.set(outer, before);
  const output = before.get(query) ?? columnsOf(query, context, outer);
  before.set(query, output);
  return output;
}

function columnsOf(query: TreeNode, context: Context, outer: Level | undefined): OutputValue[] {
  const level = enter(query, context, outer);
  const leaves = setLeaves(nodeOf(query.setOperations));
  if (leaves.length > 0) {
    const each = leaves.map((leaf) => outputOf(subqueryOf(level, leaf), context, level));
    return (each[0] ?? []).map((_, at) => either(each.map((output) => output[at] ?? unknown)));
  }
  return targetsOf(query).map((target) => valueOf(nodeOf(target.expr), level));
}

/** Returns the parts of a set operation, such as UNION, as indexes of the query’s tables. */
function setLeaves(operation: TreeNode | undefined): string[] {
  if (!operation) return [];
  if (operation.kind === 'RANGETBLREF') return [wordOf(operation.rtindex)];
  return [...setLeaves(nodeOf(operation.larg)), ...setLeaves(nodeOf(operation.rarg))];
}

function tableOf(level: Level, index: string): TreeNode | undefined {
  return nodesOf(level.query.rtable)[Number(index) - 1];
}

function subqueryOf(level: Level, index: string): TreeNode {
  const query = nodeOf(tableOf(level, index)?.subquery);
  if (!query) throw new Error('a part of a UNION is not a query');
  return query;
}

function enter(query: TreeNode, context: Context, outer: Level | undefined): Level {
  const optional = new Set<string>();
  const conditions: TreeNode[] = [];
  /** Walks the joins. A condition below the optional side of a join does not exclude nulls, because the whole row can be missing. */
  const walk = (item: TreeNode | undefined, missing: boolean): void => {
    if (item?.kind === 'RANGETBLREF' && missing) optional.add(wordOf(item.rtindex));
    const quals = nodeOf(item?.quals);
    if (item?.kind === 'FROMEXPR') {
      for (const one of nodesOf(item.fromlist)) walk(one, missing);
      if (quals && !missing) conditions.push(quals);
    }
    if (item?.kind === 'JOINEXPR') {
      const type = wordOf(item.jointype);
      walk(nodeOf(item.larg), missing || type === join.right || type === join.full);
      walk(nodeOf(item.rarg), missing || type === join.left || type === join.full);
      if (quals && !missing && type === join.inner) conditions.push(quals);
    }
  };
  walk(nodeOf(query.jointree), false);
  return { query, outer, context, optional, kept: new Set(conditions.flatMap((one) => keptBy(one, context.catalog))) };
}

/** Returns the columns that are not null if a condition is true. */
function keptBy(condition: TreeNode, catalog: Catalog): string[] {
  const args = nodesOf(condition.args);
  if (condition.kind === 'BOOLEXPR' && condition.boolop === 'and') return args.flatMap((one) => keptBy(one, catalog));
  if (condition.kind === 'BOOLEXPR' && condition.boolop === 'or') {
    const [first = [], ...others] = args.map((one) => keptBy(one, catalog));
    return first.filter((column) => others.every((other) => other.includes(column)));
  }
  if (condition.kind === 'NULLTEST' && condition.nulltesttype === '1') return columnNames([nodeOf(condition.arg)], catalog);
  if (condition.kind === 'OPEXPR' && catalog.isStrict(wordOf(condition.opfuncid))) return columnNames(args, catalog);
  if (condition.kind === 'SCALARARRAYOPEXPR') return columnNames(args.slice(0, 1), catalog);
  return [];
}

/** Returns the columns that make these expressions null if they are null. */
function columnNames(args: readonly (TreeNode | undefined)[], catalog: Catalog): string[] {
  return args.flatMap((one): string[] => {
    if (one?.kind === 'RELABELTYPE') return columnNames([nodeOf(one.arg)], catalog);
    const called = one?.kind === 'FUNCEXPR' ? one.funcid : one?.kind === 'OPEXPR' ? one.opfuncid : undefined;
    if (one && called && catalog.isStrict(wordOf(called))) return columnNames(nodesOf(one.args), catalog);
    return one?.kind === 'VAR' && one.varlevelsup === '0' ? [`${wordOf(one.varno)}.${wordOf(one.varattno)}`] : [];
  });
}

/** Combines the possible values of alternatives. */
function either(values: readonly OutputValue[]): OutputValue {
  const literals = values.map((one) => one.literals);
  return {
    nullable: values.some(({ nullable }) => nullable),
    literals: literals.every((one) => one !== undefined) ? [...new Set(literals.flat())] : undefined,
    json: values.find(({ json }) => json)?.json,
  };
}

/** The constant NULL. It adds no text to the possible values. */
const nothing: OutputValue = { nullable: true, literals: [] };

function levelAbove(level: Level, up: TreeValue | undefined): Level | undefined {
  let found: Level | undefined = level;
  for (let left = Number(up ?? 0); left > 0; left -= 1) found = found?.outer;
  return found;
}

function columnValue(variable: TreeNode, from: Level): OutputValue {
  const level = levelAbove(from, variable.varlevelsup);
  if (!level) return unknown;
  const [index, number] = [wordOf(variable.varno), wordOf(variable.varattno)];
  const value = written(level, index, number) ?? ofTable(level, index, number);
  if (level.kept.has(`${index}.${number}`)) return { ...value, nullable: false, narrowed: value.nullable };
  return level.optional.has(index) ? { ...value, nullable: true } : value;
}

/** Returns the value that a statement writes into a column of RETURNING, or of EXCLUDED. */
function written({ query, ...level }: Level, index: string, number: string): OutputValue | undefined {
  const conflict = nodeOf(query.onConflict);
  const excluded = index === conflict?.exclRelIndex;
  if (index === '0' || (index !== query.resultRelation && !excluded)) return undefined;
  const into = (targets: TreeValue | undefined) => nodeOf(nodesOf(targets).find(({ resno }) => resno === number)?.expr);
  const set = into(query.targetList);
  const reset = into(conflict?.onConflictSet);
  if (!set || (conflict && !excluded && conflict.action === onConflictUpdate && !reset)) return undefined;
  // An assignment reads the old values of the table’s columns.
  const before = (conflicting: TreeNode | null): Level => ({ ...level, query: { ...query, resultRelation: '0', onConflict: conflicting } });
  const values = [valueOf(set, before(null)), ...(reset && !excluded ? [valueOf(reset, before(conflict ?? null))] : [])];
  const column = ofTable({ query, ...level }, index, number);
  const { nullable, ...value } = either(values);
  return {
    ...value,
    literals: value.literals ?? column.literals,
    nullable: nullable && column.nullable,
    narrowed: column.nullable && !nullable,
  };
}

const onConflictUpdate = '2';

/** Returns a column, by its number, of a table, subquery or function of the query. Number 0 is the whole row. */
function ofTable(level: Level, index: string, number: string): OutputValue {
  const table = tableOf(level, index);
  if (!table || number === '0') return known;
  const at = Number(number) - 1;
  switch (table.rtekind) {
    case rte.relation: {
      const column = level.context.catalog.column(wordOf(table.relid), number);
      return column ? { nullable: !column.notNull, literals: column.literals } : known;
    }
    case rte.subquery: {
      const query = nodeOf(table.subquery);
      return (query && outputOf(query, level.context, level)[at]) ?? unknown;
    }
    case rte.join:
      return valueOf(nodesOf(table.joinaliasvars)[at], level);
    case rte.group:
      return valueOf(nodesOf(table.groupexprs)[at], level);
    case rte.values:
      return either((Array.isArray(table.values_lists) ? table.values_lists : []).map((row) => valueOf(nodesOf(row)[at], level)));
    case rte.cte:
      return ofCommon(level, wordOf(table.ctename), at, table.self_reference === 'true', table.ctelevelsup);
    case rte.function:
      return ofFunctions(nodesOf(table.functions), at, level);
    default:
      return unknown;
  }
}

function ofCommon(from: Level, name: string, at: number, itself: boolean, up: TreeValue | undefined): OutputValue {
  const level = levelAbove(from, up);
  const query = nodeOf(nodesOf(level?.query.cteList).find(({ ctename }) => ctename === name)?.ctequery);
  if (!level || !query) return unknown;
  // Use the first part of a recursive query, because a walk of the whole tree would never end.
  const [first] = setLeaves(nodeOf(query.setOperations));
  if (itself && first !== undefined) {
    const inside = enter(query, level.context, level);
    return outputOf(subqueryOf(inside, first), level.context, inside)[at] ?? unknown;
  }
  return outputOf(query, level.context, level)[at] ?? unknown;
}

/** Functions in PL/pgSQL that never return null. PostgreSQL does not say so. */
const neverNull = new Set([
  'document_barrier_state',
  'document_excludes',
  'document_is_barred',
  'document_is_gone',
  'document_outsider',
  'has_delegations',
  'job_waits',
  'owns_document',
  'task_ids_of_step',
  'team_active',
]);

/** Returns a column of functions in FROM. The last column is the ordinality, which is never null. */
function ofFunctions(functions: readonly TreeNode[], at: number, level: Level): OutputValue {
  let before = 0;
  for (const one of functions) {
    const count = Number(one.funccolcount);
    if (at >= before + count) {
      before += count;
      continue;
    }
    const call = nodeOf(one.funcexpr);
    const tree = level.context.trees.get(wordOf(call?.funcid));
    if (call && tree) return inFunction(tree, call, level)[at - before] ?? unknown;
    const name = level.context.catalog.functionName(wordOf(call?.funcid));
    if (neverNull.has(name)) return known;
    // Elements of arrays: those of parameters are never null. PostgreSQL does not state this for others.
    return count === 1 && /^(?:unnest|generate_series|regexp_split_to_table|jsonb?_array_elements)/.test(name) ? known : unknown;
  }
  return known;
}

/** Returns the columns of an SQL function for these arguments. */
function inFunction(tree: TreeNode, call: TreeNode, level: Level): OutputValue[] {
  const parameters = nodesOf(call.args).map((one) => valueOf(one, level).nullable);
  return outputOf(tree, { ...level.context, parameters });
}

function valueOf(expression: TreeNode | undefined, level: Level): OutputValue {
  if (!expression) return unknown;
  const { catalog } = level.context;
  const args = nodesOf(expression.args);
  const allOf = (values: readonly TreeNode[]): OutputValue => ({ nullable: values.some((one) => valueOf(one, level).nullable) });
  switch (expression.kind) {
    case 'VAR':
      return columnValue(expression, level);
    case 'CONST':
      return expression.constisnull === 'true' ? nothing : { nullable: false, literals: textOf(expression, catalog) };
    case 'PARAM':
      return { nullable: level.context.parameters[Number(expression.paramid) - 1] ?? true };
    case 'COALESCEEXPR':
    case 'COALESCE':
    case 'MINMAXEXPR':
    case 'MINMAX': {
      const values = args.map((one) => valueOf(one, level));
      return { ...either(values), nullable: values.every(({ nullable }) => nullable) };
    }
    case 'CASEEXPR':
    case 'CASE': {
      const results = args.map((one) => nodeOf(one.result));
      return either([...results, nodeOf(expression.defresult)].map((one) => valueOf(one, level)));
    }
    case 'NAMEDARGEXPR':
    case 'RELABELTYPE':
    case 'COERCEVIAIO':
    case 'ARRAYCOERCEEXPR':
    case 'COLLATEEXPR':
    case 'COERCETODOMAIN':
    case 'CONVERTROWTYPEEXPR':
      return valueOf(nodeOf(expression.arg), level);
    case 'NULLTEST':
    case 'BOOLEANTEST':
    case 'DISTINCTEXPR':
    case 'ARRAYEXPR':
    case 'ARRAY':
    case 'ROWEXPR':
    case 'ROW':
    case 'SQLVALUEFUNCTION':
    case 'JSONCONSTRUCTOREXPR':
    case 'GROUPINGFUNC':
      return known;
    case 'BOOLEXPR':
      return allOf(args);
    case 'SCALARARRAYOPEXPR':
      return allOf(args);
    case 'OPEXPR':
      return partial.has(catalog.functionName(wordOf(expression.opfuncid))) ? unknown : allOf(args);
    case 'SUBLINK':
      return ofSublink(expression, level);
    case 'AGGREF':
      return ofAggregate(expression, level);
    case 'WINDOWFUNC':
      return total.has(catalog.functionName(wordOf(expression.winfnoid))) ? known : allOf(args);
    case 'FUNCEXPR':
      return ofCall(expression, level);
    default:
      return unknown;
  }
}

function ofCall(call: TreeNode, level: Level): OutputValue {
  const { catalog, trees } = level.context;
  const name = catalog.functionName(wordOf(call.funcid));
  const args = nodesOf(call.args);
  if (/^jsonb?_build_object$/.test(name)) return { nullable: false, json: { members: membersOf(args, level) } };
  if (neverNull.has(name)) return known;
  const tree = trees.get(wordOf(call.funcid));
  if (tree) return inFunction(tree, call, level)[0] ?? unknown;
  if (/^jsonb?_strip_nulls$/.test(name)) return withoutNulls(valueOf(args[0], level));
  if (!total.has(name)) return unknown;
  const values = args.map((one) => valueOf(one, level));
  if (/^to_jsonb?$/.test(name)) return { nullable: values.some(({ nullable }) => nullable), json: values[0]?.json };
  return { nullable: catalog.isStrict(wordOf(call.funcid)) && values.some(({ nullable }) => nullable) };
}

function withoutNulls(value: OutputValue): OutputValue {
  if (!value.json || !('members' in value.json)) return value;
  const members = Object.entries(value.json.members).map(([name, one]) => [name, { ...one, nullable: false, optional: one.nullable }]);
  return { ...value, json: { members: Object.fromEntries(members) } };
}

/** Returns the members of an object that is built from alternating names and values. Omits members without a constant name. */
function membersOf(args: readonly TreeNode[], level: Level): Record<string, OutputValue & { type: string }> {
  const members: Record<string, OutputValue & { type: string }> = {};
  // A call with VARIADIC has one array as its argument.
  for (let at = 0; at + 1 < args.length; at += 2) {
    const [key, value] = [args[at], args[at + 1]];
    const name = key && constantText(key, level.context.catalog);
    if (name !== undefined && value) members[name] = { ...valueOf(value, level), type: typeOf(value, level.context.catalog) };
  }
  return members;
}

function ofAggregate(aggregate: TreeNode, level: Level): OutputValue {
  const name = level.context.catalog.functionName(wordOf(aggregate.aggfnoid));
  if (name === 'count') return known;
  const first = nodeOf(nodesOf(aggregate.args)[0]?.expr);
  const value = valueOf(first, level);
  const grouped = nodesOf(level.query.groupClause).length > 0 && !nodeOf(aggregate.aggfilter);
  const element = first && { ...value, type: typeOf(first, level.context.catalog) };
  const literals = /^(?:min|max|array_agg)$/.test(name) ? value.literals : undefined;
  // In arrays and JSON a null is an element.
  const holdsNulls = /^(?:array_agg|jsonb?_agg)$/.test(name);
  return {
    nullable: !(grouped && ofSome.has(name) && (holdsNulls || !value.nullable)),
    literals,
    json: /^jsonb?_agg$/.test(name) && element ? { element } : undefined,
  };
}

function ofSublink(link: TreeNode, level: Level): OutputValue {
  const query = nodeOf(link.subselect);
  if (!query) return unknown;
  switch (link.subLinkType) {
    case sublink.exists:
    case sublink.array:
      return known;
    case sublink.expression: {
      const [value = unknown] = outputOf(query, level.context, level);
      return { ...value, nullable: value.nullable || !alwaysOneRow(query) };
    }
    default:
      // ANY and ALL return null if no value is equal and one is null.
      return {
        nullable: valueOf(nodeOf(link.testexpr), level).nullable || outputOf(query, level.context, level).some((one) => one.nullable),
      };
  }
}

/** Whether a query always has exactly one row, such as an aggregate without groups. */
function alwaysOneRow(query: TreeNode): boolean {
  const plain =
    nodesOf(query.groupClause).length === 0 && !nodeOf(query.havingQual) && !nodeOf(query.limitCount) && !nodeOf(query.limitOffset);
  const noTables = nodesOf(query.rtable).length === 0 && !nodeOf(nodeOf(query.jointree)?.quals);
  return plain && (query.hasAggs === 'true' || noTables) && query.hasTargetSRFs !== 'true';
}
