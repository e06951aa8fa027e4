import { callbackify } from 'node:util';
import pg from 'pg';
import { type Backend, whoServes } from './backend.ts';
import { urlPerHost } from './hosts.ts';
import { beginSession } from './session.ts';

/** Where the database is: a URL, or the parts of a socket connection to the embedded server. */
export type Connection = { url: string } | { host: string; port: number; user: string; password?: string; database: string };

/** A connection that fell silent: something was asked, and nothing came for longer than any answer takes. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(waitedMs: number) {
    super(`the connection to the database has been silent for ${Math.round(waitedMs)} ms`);
  }
}

/**
 * The state of the connections to one database. After one was found silent, others without a byte since then may be silent too. `host` is
 * the index in `hosts` for the next connection.
 */
type Watch = { silentSince: number; hosts: readonly pg.ClientConfig[]; host: number };
const watches = new WeakMap<Connection, Watch>();

function watchOf(connection: Connection): Watch {
  const known = watches.get(connection) ?? {
    silentSince: Number.NEGATIVE_INFINITY,
    hosts: 'url' in connection ? urlPerHost(connection.url).map((connectionString) => ({ connectionString })) : [connection],
    host: 0,
  };
  watches.set(connection, known);
  return known;
}

/** Connects, and after a failure tries the other hosts of the database, each once. */
export async function tryEachHost<T>(connection: Connection, connect: () => Promise<T>): Promise<T> {
  for (let left = watchOf(connection).hosts.length - 1; ; left -= 1) {
    try {
      return await connect();
    } catch (error) {
      if (left <= 0) throw error;
    }
  }
}

type Wire = { stream: { on(event: 'data', heard: () => void): unknown; destroy(error?: Error): void } };

const wireOf = (client: pg.Client): Wire => (client as unknown as { connection: Wire }).connection;

/** Longer than the limit of a statement by as much as an answer may take on its way, in milliseconds. */
export const graceMs = 3_000;
/** How long an answer is waited for on a connection that may have fallen silent with another. */
const suspectedMs = 4_000;
const lookEveryMs = 250;
const asking = new Set<WatchedClient>();
let watchTimer: NodeJS.Timeout | undefined;

function look(): void {
  for (const client of asking) client.endIfSilent();
  if (asking.size > 0) return;
  clearInterval(watchTimer);
  watchTimer = undefined;
}

export type WatchedConfig = pg.ClientConfig & {
  /** Milliseconds without a byte after which a connection of which something is asked is given up. */
  responseTimeoutMs: number;
  /** The same object for all connections to one database. */
  leadsTo: Connection;
  /** The limit of a statement that sets none, in milliseconds. */
  statementMs: number;
};

/**
 * A connection with a deadline on our side. A middlebox may drop a connection and tell nobody: what is asked of it is then
 * never answered, and the limits of the database itself do not help. While something is asked, each byte that comes sets the
 * deadline anew: each statement is answered within its limit, also behind others.
 */
export class WatchedClient extends pg.Client {
  /** May be changed while nothing is asked. */
  responseTimeoutMs: number;
  /** Whether a connection pooler is in between: it answers with a key of its own. */
  isPooled = false;
  /** The server process at the other end, once it is known. */
  backend: Backend | undefined;
  readonly #watch: Watch;
  readonly #host: number;
  readonly #statementMs: number;
  #heardAt = performance.now();
  #askedAt = 0;

  constructor(config: WatchedConfig) {
    const watch = watchOf(config.leadsTo);
    super({ ...config, ...watch.hosts[watch.host] });
    this.responseTimeoutMs = config.responseTimeoutMs;
    this.#watch = watch;
    this.#host = watch.host;
    this.#statementMs = config.statementMs;
    this.once('connect', () => {
      this.#heardAt = performance.now();
      // Encrypted or not, it is the stream that the driver reads from.
      wireOf(this).stream.on('data', () => {
        this.#heardAt = performance.now();
      });
    });
    this.on('drain', () => asking.delete(this));
    this.on('end', () => asking.delete(this));
    const query = this.query.bind(this) as (...given: unknown[]) => unknown;
    this.query = ((...given: unknown[]) => {
      if (!asking.has(this)) {
        this.#askedAt = performance.now();
        asking.add(this);
        watchTimer ??= setInterval(look, lookEveryMs).unref();
      }
      return query(...given);
    }) as never;
  }

  /** Connects and begins the session. After a failure the next connection tries the next host. */
  override connect(): Promise<this>;
  override connect(callback: (error?: Error) => void): void;
  override connect(callback?: (error?: Error) => void): Promise<this> | undefined {
    if (!callback) return this.#connect();
    callbackify(() => this.#connect())(callback);
    return undefined;
  }

  async #connect(): Promise<this> {
    let failure: Error | undefined;
    const note = (error: Error): void => {
      failure ??= error;
    };
    // An error event without a listener ends the process. The end of the connection can come in one packet with the answer.
    this.on('error', note);
    try {
      await super.connect();
      const { pid } = await beginSession(this, this.#statementMs);
      this.isPooled = pid !== (this as unknown as { processID: number | null }).processID;
      if (failure) throw failure;
      this.off('error', note);
      return this;
    } catch (error) {
      if (this.#watch.host === this.#host) this.#watch.host = (this.#host + 1) % this.#watch.hosts.length;
      void this.end().catch(() => undefined);
      throw error;
    }
  }

  async learnBackend(): Promise<void> {
    const answer = await this.query<Backend>({ name: whoServes.name, text: whoServes.text }).catch(() => undefined);
    this.backend = answer?.rows[0];
  }

  /** True when another connection to the database was found silent, and this one was not heard of since that was asked. */
  get suspect(): boolean {
    return this.#heardAt < this.#watch.silentSince;
  }

  /** Lets go of the connection without a word, which would not arrive. What is asked of it fails. */
  abandon(error?: Error): void {
    wireOf(this).stream.destroy(error);
  }

  endIfSilent(): void {
    const from = Math.max(this.#heardAt, this.#askedAt);
    const waited = performance.now() - from;
    // What would be waited for longer is given up with the others: background work must not stand still for its own, long limit.
    const responseTimeoutMs = this.suspect ? Math.min(this.responseTimeoutMs, suspectedMs) : this.responseTimeoutMs;
    if (waited < responseTimeoutMs) return;
    asking.delete(this);
    this.#watch.silentSince = Math.max(this.#watch.silentSince, from);
    this.abandon(new SilentConnection(waited));
  }
}
