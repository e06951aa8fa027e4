/**
 * The parse tree of a statement as PostgreSQL keeps it for a function that is written with BEGIN ATOMIC (`pg_proc.prosqlbody`):
 * names are resolved to tables, columns and functions, casts and joins are explicit.
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

/** The nodes of a list; none where there is no list. */
export const nodesOf = (value: TreeValue | undefined): TreeNode[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** A node that may be missing. */
export const nodeOf = (value: TreeValue | undefined): TreeNode | undefined => (isNode(value) ? value : undefined);

/** A word or a number of the tree; empty where there is none. */
export const wordOf = (value: TreeValue | undefined): string => (typeof value === 'string' ? value : '');

/** The columns of a query: of what it selects, or returns of what it changes. */
export function targetsOf(query: TreeNode): TreeNode[] {
  const targets = query.commandType === '1' ? query.targetList : query.returningList;
  return nodesOf(targets).filter(({ resjunk }) => resjunk !== 'true');
}
