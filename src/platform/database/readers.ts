import pg from 'pg';
import { type Connection, connectionConfig } from './pool.ts';
import { enter, TeamRead } from './team-read.ts';

type Line = { client: Promise<pg.Client> | undefined; waiting: number };
type Statement = { name?: string; text: string; values?: unknown[] };

/** Connections that many reads share: each read is one exchange, so that none has to wait for a connection of its own. */
export type Readers = {
  read(role: string, team: string, statement: Statement): Promise<pg.QueryResult>;
  close(): Promise<void>;
};

/** The stream under a client, corked so that the reads of one turn of the event loop leave in one write. */
type Stream = { cork(): void; uncork(): void; writableCorked: number };

function streamOf(client: pg.Client): Stream {
  return (client as unknown as { connection: { stream: Stream } }).connection.stream;
}

/**
 * Opens `lines` connections, each at its first use, and gives a read to the one with the fewest waiting on it: a long
 * list holds up those behind it on its line alone. A line that is lost fails its reads and is opened anew.
 */
export function openReaders(
  connection: Connection,
  options: { lines: number; applicationName: string; onLost: (error: Error) => void },
): Readers {
  const lines: Line[] = Array.from({ length: options.lines }, () => ({ client: undefined, waiting: 0 }));
  let closed = false;

  /** Opens a line anew. What still comes from a client that it had before no longer concerns it. */
  function open(line: Line): Promise<pg.Client> {
    const opened = connect(() => {
      if (line.client === opened) line.client = undefined;
    });
    line.client = opened;
    return opened;
  }

  async function connect(giveUp: () => void): Promise<pg.Client> {
    const client = new pg.Client({
      ...connectionConfig(connection, options.applicationName),
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    const lost = (error: Error): void => {
      giveUp();
      if (!closed) options.onLost(error);
    };
    client.on('error', lost);
    client.on('end', giveUp);
    try {
      await client.connect();
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    // A line on which this fails could never read: it is given up.
    client.query({ ...enter, values: ['none', ''] }).catch(() => client.end());
    return client;
  }

  function send(client: pg.Client, role: string, team: string, statement: Statement): Promise<pg.QueryResult> {
    const stream = streamOf(client);
    if (stream.writableCorked === 0) {
      stream.cork();
      setImmediate(() => stream.uncork());
    }
    return new Promise((resolve, reject) => {
      client.query(new TeamRead(statement, { role, team }, (error, result) => (error ? reject(error) : resolve(result))));
    });
  }

  return {
    async read(role, team, statement) {
      let line = lines[0];
      for (const other of lines) if (other.waiting < (line?.waiting ?? 0)) line = other;
      if (!line || closed) throw new Error('Client was closed and is not queryable');
      line.waiting += 1;
      try {
        return await send(await (line.client ?? open(line)), role, team, statement);
      } finally {
        line.waiting -= 1;
      }
    },
    async close() {
      closed = true;
      await Promise.all(lines.map(async ({ client }) => (await client?.catch(() => undefined))?.end()));
    },
  };
}
