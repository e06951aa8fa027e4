import type pg from 'pg';
import { wasNotPrepared } from '../errors.ts';
import type { DatabaseLimits } from '../limits.ts';
import { type Connection, connectionConfig, delayWrites } from '../pool.ts';
import { tryEachHost, WatchedClient } from '../watched-client.ts';
import { type BoundStatement, type Callback, enter, initialEnterValues, type ExecuteAs, TeamExchange } from './team-exchange.ts';

type Shared = { client: Promise<WatchedClient> | undefined; pending: number };
/** The state of a key, such as a team: its pending exchanges and their connections. */
type Key = { connections: readonly Shared[]; pending: number };

/** Maximum number of repeats of a statement that was not prepared because an earlier statement on its connection failed. */
const maxRepeats = 3;

type SharedConnectionOptions = {
  connections: number;
  /** The maximum number of connections of one key at the same time; by default all. */
  connectionsPerKey?: number;
  limits: DatabaseLimits;
  /** The limit of an exchange in milliseconds; by default the limit of a read. */
  limitMs?: number;
  applicationName: string;
  onLost: (error: Error) => void;
};

/**
 * Connections that many callers share: statements wait in the pipeline of a connection. Each statement uses the
 * connection with the fewest pending statements. A slow statement of a key delays other statements only on the connections of this key.
 */
export class SharedConnections {
  readonly #connection: Connection;
  readonly #options: SharedConnectionOptions;
  readonly #all: Shared[];
  readonly #keys = new Map<string, Key>();
  #isClosed = false;

  constructor(connection: Connection, options: SharedConnectionOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#all = Array.from({ length: options.connections }, () => ({ client: undefined, pending: 0 }));
  }

  /** Runs a statement as one exchange. */
  run(statement: BoundStatement, as: ExecuteAs, key?: string): Promise<pg.QueryResult> {
    return this.send((callback) => new TeamExchange(statement, as, callback), key);
  }

  /** Sends the exchange that `make` creates, and returns its result. Calls `make` again if the statement was not prepared. */
  async send(make: (callback: Callback) => pg.Query, name = ''): Promise<pg.QueryResult> {
    const key = this.#keyOf(name);
    let shared = key.connections[0];
    for (const other of key.connections) if (other.pending < (shared?.pending ?? 0)) shared = other;
    if (!shared || this.#isClosed) throw new Error('Client was closed and is not queryable');
    shared.pending += 1;
    key.pending += 1;
    try {
      return await exchangeAgain(await this.#ready(shared), make);
    } finally {
      shared.pending -= 1;
      key.pending -= 1;
      if (key.pending === 0) this.#keys.delete(name);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#all.map(async ({ client }) => (await client?.catch(() => undefined))?.end()));
  }

  /**
   * Returns the connections of a key. They are chosen at its first exchange, as those with the fewest pending statements, and stay until its last
   * exchange ends.
   */
  #keyOf(name: string): Key {
    const known = this.#keys.get(name);
    if (known) return known;
    const connections = this.#all.toSorted((a, b) => a.pending - b.pending).slice(0, this.#options.connectionsPerKey);
    const key = { connections, pending: 0 };
    this.#keys.set(name, key);
    return key;
  }

  /** Returns an open connection. Replaces a suspect connection if no other statement waits for it. */
  async #ready(shared: Shared): Promise<WatchedClient> {
    const client = await (shared.client ?? this.#open(shared));
    if (!client.suspect || shared.pending > 1) return client;
    client.abandon();
    return this.#open(shared);
  }

  /** Opens a connection. Later events of the previous client have no effect. */
  #open(shared: Shared): Promise<WatchedClient> {
    const opened = this.#connect(() => {
      if (shared.client === opened) shared.client = undefined;
    });
    shared.client = opened;
    return opened;
  }

  async #connect(forget: () => void): Promise<WatchedClient> {
    const { applicationName, limits, limitMs = limits.readMs, onLost } = this.#options;
    const lost = (error: Error): void => {
      forget();
      if (!this.#isClosed) onLost(error);
    };
    let client: WatchedClient;
    try {
      client = await tryEachHost(this.#connection, () =>
        new WatchedClient(connectionConfig(this.#connection, applicationName, limits, limitMs)).connect(),
      );
    } catch (error) {
      lost(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
    client.on('error', lost);
    client.on('end', forget);
    // Without this statement the connection could never run an exchange.
    client.query({ ...enter, values: initialEnterValues }).catch(() => client.end());
    return client;
  }
}

function exchange(client: pg.Client, make: (callback: Callback) => pg.Query): Promise<pg.QueryResult> {
  delayWrites(client, setImmediate);
  return new Promise((resolve, reject) => {
    client.query(make((error, result) => (error || !result ? reject(error) : resolve(result))));
  });
}

/** Sends an exchange, and repeats it if its statement was not prepared because another one failed, since it then did not run. */
async function exchangeAgain(client: pg.Client, make: (callback: Callback) => pg.Query, repeats = maxRepeats): Promise<pg.QueryResult> {
  return exchange(client, make).catch((error: unknown) => {
    if (repeats === 0 || !wasNotPrepared(error)) throw error;
    return exchangeAgain(client, make, repeats - 1);
  });
}
