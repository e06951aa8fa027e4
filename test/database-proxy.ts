import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

/** What becomes of a connection at the COMMIT of a transaction: cut before it arrives, or after it was carried out. */
export type AtCommit = 'lost before' | 'lost after' | 'silent after';

/** A proxy between service and database that does to connections what lines and middleboxes do. */
export type DatabaseProxy = {
  /** The database behind the proxy. */
  url: string;
  /** How many connections lead through it now. */
  open(): number;
  /** Milliseconds by which each packet is held up, in both directions. */
  delayMs: number;
  /** While true, new connections are closed at once. */
  refuses: boolean;
  /** What becomes of the next connections that commit; `times` of them. */
  atCommit(what: AtCommit, times?: number): void;
  /** All connections of now stay open, and nothing is let through any more; new ones work. */
  silence(): void;
  /** All connections of now are reset. */
  cut(): void;
  /** Whatever comes from now on is let through, on new connections. */
  heal(): void;
  close(): Promise<void>;
};

type Way = { client: Socket; server: Socket; silent: boolean };

const commit = Buffer.from('COMMIT\0');

/** Where a URL leads: a host and port, or a unix socket named in its query. */
function target(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.${url.port || 5432}` } : { host: url.hostname, port: Number(url.port || 5432) };
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const behind = new URL(databaseUrl);
  const ways = new Set<Way>();
  let planned: { what: AtCommit; times: number } | undefined;

  function end(way: Way): void {
    ways.delete(way);
    way.client.resetAndDestroy();
    way.server.destroy();
  }

  function later(work: () => void): void {
    if (proxy.delayMs > 0) setTimeout(work, proxy.delayMs);
    else work();
  }

  function planFor(chunk: Buffer): AtCommit | undefined {
    if (!planned || planned.times === 0 || !chunk.includes(commit)) return undefined;
    planned.times -= 1;
    return planned.what;
  }

  function fromClient(way: Way, chunk: Buffer): void {
    if (way.silent) return;
    const what = planFor(chunk);
    if (what === 'lost before') return end(way);
    if (what !== undefined) {
      // Carried out, and the answer is kept from the service.
      way.server.removeAllListeners('data').once('data', () => (what === 'lost after' ? end(way) : undefined));
      way.silent = true;
    }
    later(() => way.server.writable && way.server.write(chunk));
  }

  const server = createServer((client) => {
    const way: Way = { client, server: connect(target(behind)), silent: false };
    if (proxy.refuses) return end(way);
    ways.add(way);
    client.on('data', (chunk) => fromClient(way, chunk as Buffer));
    way.server.on('data', (chunk) => {
      if (!way.silent) later(() => client.writable && client.write(chunk));
    });
    for (const socket of [client, way.server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        ways.delete(way);
        // What ends one side is not told to the other where nothing is let through.
        if (!way.silent) for (const other of [client, way.server]) other.destroy();
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(databaseUrl);
  url.search = '';
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;

  const proxy: DatabaseProxy = {
    url: url.href,
    delayMs: 0,
    refuses: false,
    open: () => ways.size,
    atCommit: (what, times = 1) => {
      planned = { what, times };
    },
    silence() {
      for (const way of ways) way.silent = true;
    },
    cut() {
      for (const way of ways) end(way);
    },
    heal() {
      planned = undefined;
      proxy.delayMs = 0;
      proxy.refuses = false;
    },
    async close() {
      server.close();
      proxy.cut();
    },
  };
  return proxy;
}
