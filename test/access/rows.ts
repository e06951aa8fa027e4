import { type Caller, callerNames, type AccessWorld } from './callers.ts';
import type { Thing, ThingName } from './things.ts';

/**
 * The result for a caller. `yes`: the operation succeeds. `seen` or `unseen`: the list contains or omits the resource. A number: the
 * status of the error. `·`: the resource has no such caller.
 */
export type Cell = 'yes' | 'seen' | 'unseen' | '·' | '401' | '403' | '404' | '409' | '422';
export type Cells = Record<Caller, Cell>;

export type Body = (world: AccessWorld, thing: Thing) => unknown;

export type Row =
  /** On a resource that is created for the row. `body` is the body of an allowed caller. */
  | { kind: 'thing'; thing: ThingName; cells: Cells; body?: Body; query?: (thing: Thing) => string }
  /** As prepared by test/suites/acts.ts, in the team of the caller. */
  | { kind: 'act'; cells: Cells }
  /** On a resource of test/seed.ts. */
  | { kind: 'seeded'; cells: Cells; query?: string }
  /** About the caller: allowed for each person, denied to API clients. */
  | { kind: 'own' }
  /** Needs no credential in the header. */
  | { kind: 'public' }
  /** For staff. */
  | { kind: 'staff' };

/** Cells in the order owner, admin, creator, writer, reader, assignee, member, clerk, viewer, client, guest, auditor. */
function cells(text: string): Cells {
  const given = text.trim().split(/\s+/);
  if (given.length !== callerNames.length) throw new Error(`“${text}” has ${given.length} cells instead of ${callerNames.length}`);
  const short: Record<string, Cell> = { y: 'yes', s: 'seen', u: 'unseen' };
  return Object.fromEntries(callerNames.map((name, at) => [name, short[given[at] ?? ''] ?? given[at]])) as Cells;
}

export const thing = (name: ThingName, text: string, body?: Body): Row => ({
  kind: 'thing',
  thing: name,
  cells: cells(text),
  ...(body ? { body } : {}),
});
/** A row for a search that looks for the resource. */
export const searched = (name: ThingName, text: string, query: (thing: Thing) => string): Row => ({
  kind: 'thing',
  thing: name,
  cells: cells(text),
  query,
});
export const act = (text: string): Row => ({ kind: 'act', cells: cells(text) });
export const seeded = (text: string, query?: string): Row => ({ kind: 'seeded', cells: cells(text), ...(query ? { query } : {}) });
export const own: Row = { kind: 'own' };
export const open: Row = { kind: 'public' };
export const staff: Row = { kind: 'staff' };

export const rows = (prefix: string, entries: Record<string, Row>): Record<string, Row> =>
  Object.fromEntries(
    Object.entries(entries).map(([operation, row]) => {
      const [method, ...path] = operation.split(' ');
      return [`${method} ${prefix}${path.join(' ')}`, row];
    }),
  );
