import { callbackify } from 'node:util';
import pg from 'pg';
import { type Backend, servingBackend } from './backend.ts';
import { urlPerHost } from './hosts.ts';
import { beginSession } from './session.ts';

/** The location of the database: a URL, or the parts of a socket connection to the embedded server. */
export type Connection = { url: string } | { host: string; port: number; user: string; password?: string; database: string };

/** Thrown if the connection is silent: a statement was sent, and no byte arrived for longer than any response takes. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(waitedMs: number) {
    super(`the database connection has been silent for ${Math.round(waitedMs)} ms`);
  }
}

/**
 * The state of the connections to one database. After one of them was found silent, all others without a received byte since then are suspect. `host`
 * is the index in `hosts` for the next connection.
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

/** Connects. After a failure tries each other host of the database once. */
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

/** Transmission time in milliseconds that is added to the limit of a statement. */
export const graceMs = 3_000;
/** Maximum wait for a response on a suspect connection, in milliseconds. */
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
  /** Milliseconds without a byte after which a connection with pending statements is closed. */
  responseTimeoutMs: number;
  /** The state that all connections to one database share. */
  leadsTo: Connection;
  /** The default statement limit in milliseconds. */
  statementMs: number;
};

/**
 * A connection with a deadline on the client side. A middlebox can drop a connection silently. No response then arrives, and the time limits of the
 * database have no effect. While statements are pending, each received byte resets the deadline, because each statement responds within its limit,
 * also in a pipeline.
 */
export class WatchedClient extends pg.Client {
  /** Change it only while no statement is pending. */
  responseTimeoutMs: number;
  /** Whether the connection uses a pooler, which reports another process ID. */
  isPooled = false;
  /** The server process, once it is known. */
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
      // The driver reads from this stream, with or without encryption.
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
    // An error event without a listener ends the process. The end of the connection can arrive in one packet with the response.
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
    const answer = await this.query<Backend>({ name: servingBackend.name, text: servingBackend.text }).catch(() => undefined);
    this.backend = answer?.rows[0];
  }

  /** Whether another connection to the database was found silent and this one has received no byte since. */
  get suspect(): boolean {
    return this.#heardAt < this.#watch.silentSince;
  }

  /** Closes the connection without a message, which would not arrive. Pending statements fail. */
  abandon(error?: Error): void {
    wireOf(this).stream.destroy(error);
  }

  endIfSilent(): void {
    const from = Math.max(this.#heardAt, this.#askedAt);
    const waited = performance.now() - from;
    // A suspect connection has a shorter deadline, so that background work does not wait for its long limit.
    const responseTimeoutMs = this.suspect ? Math.min(this.responseTimeoutMs, suspectedMs) : this.responseTimeoutMs;
    if (waited < responseTimeoutMs) return;
    asking.delete(this);
    this.#watch.silentSince = Math.max(this.#watch.silentSince, from);
    this.abandon(new SilentConnection(waited));
  }
}
