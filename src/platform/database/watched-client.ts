import pg from 'pg';
import { type Backend, whoServes } from './backend.ts';

/** A connection that fell silent: something was asked, and nothing came for longer than any answer takes. */
export class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor(waitedMs: number) {
    super(`the connection to the database has been silent for ${Math.round(waitedMs)} ms`);
  }
}

/** What is known of the ways to one database: when one of them was found silent, others that were not heard of since may be too. */
type Watch = { silentSince: number };
const watches = new WeakMap<object, Watch>();

function watchOf(connection: object): Watch {
  const known = watches.get(connection) ?? { silentSince: Number.NEGATIVE_INFINITY };
  watches.set(connection, known);
  return known;
}

type Wire = { stream: { on(event: 'data', heard: () => void): unknown; destroy(error?: Error): void } };

const wireOf = (client: pg.Client): Wire => (client as unknown as { connection: Wire }).connection;

/** Longer than the limit of a statement by as much as an answer may take on its way, in milliseconds. */
export const graceMs = 3_000;
/** How long an answer is waited for on a connection that may have fallen silent with another. */
const suspectedMs = 4_000;
const lookEveryMs = 250;
const asking = new Set<WatchedClient>();
let looking: NodeJS.Timeout | undefined;

function look(): void {
  for (const client of asking) client.endIfSilent();
  if (asking.size > 0) return;
  clearInterval(looking);
  looking = undefined;
}

export type WatchedConfig = pg.ClientConfig & {
  /** Milliseconds without a byte after which a connection of which something is asked is given up. */
  patienceMs: number;
  /** The same for all connections to one database. */
  watchedAs: object;
};

/**
 * A connection with a deadline on our side. A middlebox may drop a connection and tell nobody: what is asked of it is then
 * never answered, and the limits of the database itself do not help. While something is asked, each byte that comes sets the
 * deadline anew: each statement is answered within its limit, also behind others.
 */
export class WatchedClient extends pg.Client {
  /** May be changed while nothing is asked. */
  patienceMs: number;
  /** The server process at the other end, once it is known. */
  backend: Backend | undefined;
  readonly #watch: Watch;
  #heardAt = performance.now();
  #askedAt = 0;

  constructor(config: WatchedConfig) {
    super(config);
    this.patienceMs = config.patienceMs;
    this.#watch = watchOf(config.watchedAs);
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
        looking ??= setInterval(look, lookEveryMs).unref();
      }
      return query(...given);
    }) as never;
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
    const patienceMs = this.suspect ? Math.min(this.patienceMs, suspectedMs) : this.patienceMs;
    if (waited < patienceMs) return;
    asking.delete(this);
    this.#watch.silentSince = Math.max(this.#watch.silentSince, from);
    this.abandon(new SilentConnection(waited));
  }
}
