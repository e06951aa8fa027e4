import type { ChangeRow } from '#journal';
import type { ReadScope } from '../../../platform/scope.ts';
import { type ShownChange, type Changed, changedBy } from './changed.ts';
import type { ChangeFeed } from './feed.ts';

/** The interval of keep-alive comments. */
const beatMs = 15_000;
/** The maximum duration of a stream. The client then reconnects and continues. */
const maxMs = 10 * 60_000;
/** The maximum number of journal entries that a client may be behind. Beyond it, reading all lists again is faster. */
export const maxBehind = 10_000;

type ChangeReader = { scope: ReadScope; scopes: ReadonlySet<string> };

type Following = ChangeReader & {
  feed: ChangeFeed;
  /** The position of the last change that the client has, if any. */
  after: number | undefined;
  /** Whether to continue after the existing changes. */
  goOn: boolean;
  /** Whether the stream must end: the node stops, or the credential has expired. */
  hasEnded: () => boolean;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
};

/**
 * Streams the changes of a team that the caller may see (text/event-stream), after a position or from now on. The access is checked for each change
 * when it is sent.
 */
export async function* followChanges({ feed, after, goOn, gone, hasEnded, ...reader }: Following): AsyncGenerator<string> {
  const until = Date.now() + maxMs;
  const changes = await feed.open(reader.scope.team);
  try {
    const isKnown = after !== undefined && after <= changes.position && changes.position - after <= maxBehind;
    let last = isKnown ? after : changes.position;
    yield `retry: 1000\n${message(last, after === undefined || isKnown ? 'ready' : 'reset', {})}`;
    while (!hasEnded() && !gone.aborted && Date.now() < until) {
      const { rows, to } = await changes.after(last);
      const isIdle = to === last;
      last = to;
      if (isIdle && !goOn) return;
      if (isIdle) await changes.wait(last, beatMs, gone);
      yield await shown(reader, rows);
    }
  } finally {
    feed.leave(reader.scope.team, changes);
  }
}

/** Returns the events of the changes that the reader may see, or a comment that keeps the connection open. */
async function shown({ scope, scopes }: ChangeReader, rows: readonly ChangeRow[]): Promise<string> {
  const seen = await visible(scope, scopes, rows);
  return seen.length === 0 ? ': \n\n' : seen.map(({ number, ...change }) => message(number, 'change', change)).join('');
}

const message = (id: number, event: string, data: object) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** Returns the changed resources that the caller may see, each once, at its last change. */
async function visible(
  scope: ReadScope,
  scopes: ReadonlySet<string>,
  rows: readonly ChangeRow[],
): Promise<(ShownChange & { number: number })[]> {
  const changed = new Map<string, Changed>();
  for (const row of rows)
    for (const one of changedBy(row)) {
      const key = `${one.change.type} ${one.change.id}`;
      changed.delete(key);
      changed.set(key, one);
    }
  const kept = await Promise.all(
    Array.from(
      Map.groupBy(changed.values(), ({ kind }) => kind),
      async ([kind, all]) => {
        if (!scopes.has(kind.scope)) return [];
        const readable = new Set((await kind.names(scope, [...new Set(all.map(({ within }) => within))])).map(({ id }) => id));
        return all.filter(({ within }) => readable.has(within));
      },
    ),
  );
  const seen = new Set(kept.flat());
  return [...changed.values()].flatMap((one) => (seen.has(one) ? [{ number: one.number, ...one.change }] : []));
}
