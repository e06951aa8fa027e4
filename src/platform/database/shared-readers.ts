import type pg from 'pg';
import { wasNotPrepared } from './errors.ts';
import { type DatabaseLimits, databaseLimits } from './limits.ts';
import { type Connection, connectionConfig } from './pool.ts';
import { enter, entersNobody } from './team-exchange.ts';
import { tryEachHost, WatchedClient } from './watched-client.ts';

/** Who has exchanges under way, and the lines that they go over. */
type Holder = { lines: readonly Line[]; waiting: number };

type Line = { client: Promise<WatchedClient> | undefined; waiting: number };

/** How often a statement is sent again that others on its line kept from being prepared. */
const sentAgain = 3;

/** What is told when an exchange has ended: an error, or what the database answered. */
export type Answered = (error: Error | undefined, result?: pg.QueryResult) => void;

/** Connections that many share: each statement is one exchange, so that none has to wait for a connection of its own. */
export type Lines = {
  /**
   * Sends what `make` makes of the one to tell, and resolves with the answer. A holder, such as a team, uses a few of the
   * lines at a time: what is slow of its exchanges delays those of others on these lines alone.
   */
  exchange(make: (answered: Answered) => pg.Query, holder?: string): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

/** The stream under a client, corked so that the statements of one turn of the event loop leave in one write. */
type Stream = { cork(): void; uncork(): void; writableCorked: number };

function streamOf(client: pg.Client): Stream {
  return (client as unknown as { connection: { stream: Stream } }).connection.stream;
}

/**
 * Opens `lines` connections, each at its first use, and gives a statement to the one with the fewest waiting on it: a long
 * list holds up those behind it on its line alone. A line that is lost fails its statements and is opened anew.
 */
export function openLines(
  connection: Connection,
  options: {
    lines: number;
    linesOfOne?: number;
    limits?: DatabaseLimits;
    /** The limit of one exchange; by default that of a read. */
    limitMs?: number;
    applicationName: string;
    onLost: (error: Error) => void;
  },
): Lines {
  const { limits = databaseLimits(), limitMs = limits.readMs } = options;
  const lines: Line[] = Array.from({ length: options.lines }, () => ({ client: undefined, waiting: 0 }));
  const holders = new Map<string, Holder>();
  let closed = false;

  /** The lines of a holder: those with the fewest waiting when its first exchange begins, kept until its last has ended. */
  function holderOf(name: string): Holder {
    const known = holders.get(name);
    if (known) return known;
    const made = { lines: lines.toSorted((a, b) => a.waiting - b.waiting).slice(0, options.linesOfOne), waiting: 0 };
    holders.set(name, made);
    return made;
  }

  /** Opens a line anew. What still comes from a client that it had before no longer concerns it. */
  function open(line: Line): Promise<WatchedClient> {
    const opened = connect(() => {
      if (line.client === opened) line.client = undefined;
    });
    line.client = opened;
    return opened;
  }

  async function connect(giveUp: () => void): Promise<WatchedClient> {
    const lost = (error: Error): void => {
      giveUp();
      if (!closed) options.onLost(error);
    };
    let client: WatchedClient;
    try {
      client = await tryEachHost(connection, () =>
        new WatchedClient(connectionConfig(connection, options.applicationName, limits, limitMs)).connect(),
      );
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    client.on('error', lost);
    client.on('end', giveUp);
    // A line on which this fails could never run anything: it is given up.
    client.query({ ...enter, values: entersNobody }).catch(() => client.end());
    return client;
  }

  /** The connection of a line; one that may have fallen silent with others is let go, if nothing else waits for it. */
  async function ready(line: Line): Promise<WatchedClient> {
    const client = await (line.client ?? open(line));
    if (!client.suspect || line.waiting > 1) return client;
    client.abandon();
    return open(line);
  }

  function send(client: pg.Client, make: (answered: Answered) => pg.Query): Promise<pg.QueryResult> {
    const stream = streamOf(client);
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return new Promise((resolve, reject) => {
      client.query(make((error, result) => (error || !result ? reject(error) : resolve(result))));
    });
  }

  /** Sends a statement, and again where what is sent with it kept it from being prepared: nothing of it was run. */
  async function sendAgain(client: pg.Client, make: (answered: Answered) => pg.Query, times = sentAgain): Promise<pg.QueryResult> {
    return send(client, make).catch((error: unknown) => {
      if (times === 0 || !wasNotPrepared(error)) throw error;
      return sendAgain(client, make, times - 1);
    });
  }

  return {
    async exchange(make, name = '') {
      const holder = holderOf(name);
      let line = holder.lines[0];
      for (const other of holder.lines) if (other.waiting < (line?.waiting ?? 0)) line = other;
      if (!line || closed) throw new Error('Client was closed and is not queryable');
      line.waiting += 1;
      holder.waiting += 1;
      try {
        const client = await ready(line);
        return await sendAgain(client, make);
      } finally {
        line.waiting -= 1;
        holder.waiting -= 1;
        if (holder.waiting === 0) holders.delete(name);
      }
    },
    async close() {
      closed = true;
      await Promise.all(lines.map(async ({ client }) => (await client?.catch(() => undefined))?.end()));
    },
  };
}
