/**
 * The parse tree of a statement, as PostgreSQL stores it for a function with BEGIN ATOMIC (`pg_proc.prosqlbody`). Names are resolved to
 * tables, columns and functions; casts and joins are explicit.
 */
export type TreeNode = { kind: string; [member: string]: TreeValue };
export type TreeValue = TreeNode | string | null | TreeValue[];

const tokens = /"(?:[^"\\]|\\.)*"|[(){}[\]]|(?:\\.|[^\s(){}[\]\\])+/gs;

/** Reads the text of a `pg_node_tree` (src/backend/nodes/read.c). */
export function readTree(text: string): TreeValue {
  const all = text.match(tokens) ?? [];
  let at = 0;
  const next = () => all[at++] ?? '';

  function value(): TreeValue {
    const token = next();
    if (token === '{') return node();
    if (token === '(') return list(')');
    if (token === '[') return list(']');
    if (token === '<>') return null;
    return token.replace(/^"(.*)"$/s, '$1').replaceAll(/\\(.)/gs, '$1');
  }
  function list(end: string): TreeValue[] {
    const members: TreeValue[] = [];
    while (all[at] !== end && at < all.length) members.push(value());
    at += 1;
    return members;
  }
  function node(): TreeNode {
    const read: TreeNode = { kind: next() };
    while (all[at] !== '}' && at < all.length) {
      const name = next().slice(1);
      const values: TreeValue[] = [];
      while (all[at] !== '}' && !all[at]?.startsWith(':') && at < all.length) values.push(value());
      read[name] = values.length === 1 ? (values[0] ?? null) : values;
    }
    at += 1;
    return read;
  }
  return value();
}

export const isNode = (value: TreeValue | undefined): value is TreeNode =>
  value !== null && value !== undefined && typeof value === 'object' && !Array.isArray(value);

/** Returns the nodes of a list, or an empty array without a list. */
export const nodesOf = (value: TreeValue | undefined): TreeNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** Returns the node, or undefined if the value is not a node. */
export const nodeOf = (value: TreeValue | undefined): TreeNode | undefined => (isNode(value) ? value : undefined);

/** Returns a word or a number of the tree, or an empty text. */
export const wordOf = (value: TreeValue | undefined): string => (typeof value === 'string' ? value : '');

/** Returns the columns of a query: the selected columns, or those of RETURNING. */
export function targetsOf(query: TreeNode): TreeNode[] {
  const targets = query.commandType === '1' ? query.targetList : query.returningList;
  return nodesOf(targets).filter(({ resjunk }) => resjunk !== 'true');
}
