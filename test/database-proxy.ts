import { once } from 'node:events';
import { connect, createServer, type NetConnectOpts, type Socket } from 'node:net';
import { delayInOrder } from './ordered-delays.ts';

/** When a connection fails at the COMMIT of a transaction: before the COMMIT arrives, or after it was executed (cut or silent). */
export type AtCommit = 'lost before' | 'lost after' | 'silent after';

/** A position in the messages of one transaction: after so many messages or exchanges from one side, counted from its BEGIN. */
export type CutPosition = { from: 'service' | 'database'; what: 'message' | 'exchange'; at: number };

/** A proxy between service and database that simulates failures of networks and middleboxes. */
export type DatabaseProxy = {
  /** The URL of the database through the proxy. */
  url: string;
  /** Returns the number of open connections. */
  open(): number;
  /** Delay of each packet in both directions, in milliseconds. */
  delayMs: number;
  /** While true, new connections are closed at once. */
  refuses: boolean;
  /** Sets the failure of the next `times` connections that commit. */
  atCommit(what: AtCommit, times?: number): void;
  /** Cuts the connection of the next transaction at this position; `done` becomes true after the cut. */
  cutAt(place: CutPosition): { done: boolean };
  /** Keeps the current connections open but stops their traffic. New connections work. */
  silence(): void;
  /** Resets the current connections. */
  cut(): void;
  /** Lets all new connections work without failures. */
  heal(): void;
  close(): Promise<void>;
};

/** One direction of a connection, with the bytes of an incomplete message. */
type Direction = { begun: Buffer; untyped: boolean; hold: ReturnType<typeof delayInOrder> };

type Way = {
  client: Socket;
  server: Socket;
  silent: boolean;
  toServer: Direction;
  toClient: Direction;
  /** What happens to the connection when the response to COMMIT arrives. */
  atAnswer?: 'cut' | 'silence' | undefined;
  /** Where to cut this connection. `at` is the number of messages that still pass. */
  cutAt?: (CutPosition & { done: boolean }) | undefined;
};

type Verdict = 'on' | 'back' | 'cut';

const direction = (untyped: boolean): Direction => ({ begun: Buffer.alloc(0), untyped, hold: delayInOrder() });

const [begin, commit] = [Buffer.from('BEGIN\0'), Buffer.from('COMMIT\0')];
const asks = (message: Buffer, text: Buffer) => message[0] === 0x51 && message.subarray(5).equals(text);
/** Tells whether an exchange ends with this message: Query, Sync or ReadyForQuery. */
const endsExchange = (message: Buffer) => [0x51, 0x53, 0x5a].includes(message[0] ?? 0);
/** Tells whether a database message reports the end of a transaction (CommandComplete). */
const ends = (message: Buffer) => message[0] === 0x43 && /^(COMMIT|ROLLBACK)\0$/.test(message.subarray(5).toString());

/**
 * Returns the messages that this chunk completes (PostgreSQL documentation, 54.7). Each has a type byte and a length; the first client message has no
 * type.
 */
function messagesOf(way: Direction, chunk: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  let rest = Buffer.concat([way.begun, chunk]);
  for (;;) {
    const from = way.untyped ? 0 : 1;
    const length = rest.length >= from + 4 ? from + rest.readUInt32BE(from) : Infinity;
    if (rest.length < length) break;
    way.untyped = false;
    messages.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  way.begun = rest;
  return messages;
}

/** Returns the connection options of a URL: a host and port, or a Unix socket from its query. */
function target(url: URL): NetConnectOpts {
  const folder = url.searchParams.get('host');
  return folder ? { path: `${folder}/.s.PGSQL.${url.port || 5432}` } : { host: url.hostname, port: Number(url.port || 5432) };
}

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const behind = new URL(databaseUrl);
  const ways = new Set<Way>();
  let planned: { what: AtCommit; times: number } | undefined;
  let planCut: Way['cutAt'];

  function end(way: Way): void {
    ways.delete(way);
    way.client.resetAndDestroy();
    way.server.destroy();
  }

  /** Tells whether the connection is cut at this message. */
  function isCut({ cutAt }: Way, from: CutPosition['from'], message: Buffer): boolean {
    if (cutAt?.from !== from) return false;
    if (cutAt.at === 0) return (cutAt.done = true);
    if (cutAt.what === 'message' || endsExchange(message)) cutAt.at -= 1;
    return false;
  }

  /** Decides about a message of the service: forward it, withhold it, or cut the connection before it. */
  function fromService(way: Way, message: Buffer): Verdict {
    if (asks(message, begin)) [way.cutAt, planCut] = [planCut, undefined];
    if (isCut(way, 'service', message)) return 'cut';
    if (!planned || planned.times === 0 || !asks(message, commit)) return 'on';
    planned.times -= 1;
    const { what } = planned;
    if (what === 'lost before') return 'cut';
    // The COMMIT runs, but its response does not reach the service.
    way.atAnswer = what === 'lost after' ? 'cut' : 'silence';
    return 'on';
  }

  function fromDatabase(way: Way, message: Buffer): Verdict {
    if (isCut(way, 'database', message)) return 'cut';
    if (!way.atAnswer) return 'on';
    if (!ends(message)) return 'back';
    if (way.atAnswer === 'cut') return 'cut';
    way.silent = true;
    return 'back';
  }

  /** Forwards the messages that pass, each chunk in one packet. */
  function pass(way: Way, one: Direction, chunk: Buffer, to: Socket, judge: (way: Way, message: Buffer) => Verdict): void {
    if (way.silent) return;
    const passed: Buffer[] = [];
    let verdict: Verdict = 'on';
    for (const message of messagesOf(one, chunk)) {
      verdict = judge(way, message);
      if (verdict === 'on') passed.push(message);
      if (verdict === 'cut' || way.silent) break;
    }
    if (passed.length > 0) one.hold(proxy.delayMs, () => to.writable && to.write(Buffer.concat(passed)));
    if (verdict === 'cut') end(way);
  }

  const server = createServer((client) => {
    const way: Way = { client, server: connect(target(behind)), silent: false, toServer: direction(true), toClient: direction(false) };
    if (proxy.refuses) return end(way);
    ways.add(way);
    client.on('data', (chunk: Buffer) => pass(way, way.toServer, chunk, way.server, fromService));
    way.server.on('data', (chunk: Buffer) => pass(way, way.toClient, chunk, client, fromDatabase));
    for (const socket of [client, way.server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        ways.delete(way);
        // A silenced connection does not forward the close of the other side.
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
    cutAt: (place) => (planCut = { ...place, done: false }),
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
