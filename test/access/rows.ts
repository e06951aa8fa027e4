import { type Caller, callerNames, type AccessWorld } from './callers.ts';
import type { Thing, ThingName } from './things.ts';

/**
 * What a caller gets: `yes` the operation does what it is for; `seen` and `unseen` a list answers with the thing or
 * without it; a number the status of the refusal; `·` the caller is not one that the thing knows.
 */
export type Cell = 'yes' | 'seen' | 'unseen' | '·' | '401' | '403' | '404' | '409' | '422';
export type Cells = Record<Caller, Cell>;

export type Body = (world: AccessWorld, thing: Thing) => unknown;

export type Row =
  /** On a thing that is made for the row; `body` as the act would be sent by whoever is allowed to. */
  | { kind: 'thing'; thing: ThingName; cells: Cells; body?: Body; query?: (thing: Thing) => string }
  /** As test/suites/acts.ts prepares it, in the team of the caller. */
  | { kind: 'act'; cells: Cells }
  /** On what test/seed.ts made. */
  | { kind: 'seeded'; cells: Cells; query?: string }
  /** About whoever asks: every person, and no API client. */
  | { kind: 'own' }
  /** Asks for no credential in the header. */
  | { kind: 'public' }
  /** For those who run the service. */
  | { kind: 'staff' };

/** Cells in the order owner, admin, maker, writer, reader, holder, member, guest, viewer, client. */
function cells(text: string): Cells {
  const given = text.trim().split(/\s+/);
  if (given.length !== callerNames.length) throw new Error(`“${text}” has ${given.length} cells, not ${callerNames.length}`);
  const short: Record<string, Cell> = { y: 'yes', s: 'seen', u: 'unseen' };
  return Object.fromEntries(callerNames.map((name, at) => [name, short[given[at] ?? ''] ?? given[at]])) as Cells;
}

export const thing = (name: ThingName, text: string, body?: Body): Row => ({
  kind: 'thing',
  thing: name,
  cells: cells(text),
  ...(body ? { body } : {}),
});
/** What a search answers with that looks for the thing. */
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
