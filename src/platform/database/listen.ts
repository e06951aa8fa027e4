import type pg from 'pg';
import { type Connection, connectionConfig } from './pool.ts';
import { WatchedClient } from './watched-client.ts';

/** Receives notifications (LISTEN) on a dedicated connection, which reconnects after a loss. */
export type Listener = {
  /** Calls `listener` with each payload of a channel. Resolves after the LISTEN statement has run. */
  on(channel: string, received: (payload: string) => void): Promise<void>;
  /** False while the connection is down. Code that depends on notifications must then poll the database. */
  connected(): boolean;
  /** Registers a callback for each reconnection. Notifications before it may be lost. */
  onReconnect(callback: () => void): void;
  close(): Promise<void>;
};

const reconnectDelayMs = 500;

/** Opens the listening connection, and reopens it after a loss, until {@link Listener.close}. A query every `beatMs` detects a silent connection. */
export const openListener = (
  connection: Connection,
  onError: (error: Error) => void,
  beatMs = 5_000,
  applicationName = 'chancery-listen',
): Listener => new ListeningConnection(connection, { onError, beatMs, applicationName });

class ListeningConnection implements Listener {
  readonly #connection: Connection;
  readonly #options: { onError: (error: Error) => void; beatMs: number; applicationName: string };
  readonly #channels = new Map<string, ((payload: string) => void)[]>();
  readonly #reconnected: (() => void)[] = [];
  readonly #beat: NodeJS.Timeout;
  #client: pg.Client | undefined;
  #isUp = false;
  #isClosed = false;
  #wasUp = false;
  #timer: NodeJS.Timeout | undefined;
  #ready: Promise<void>;

  constructor(connection: Connection, options: { onError: (error: Error) => void; beatMs: number; applicationName: string }) {
    this.#connection = connection;
    this.#options = options;
    this.#beat = setInterval(() => this.#client?.query('SELECT 1').catch(() => undefined), options.beatMs).unref();
    this.#ready = this.#connect();
  }

  async on(channel: string, listener: (payload: string) => void): Promise<void> {
    const existing = this.#channels.get(channel);
    if (existing) {
      existing.push(listener);
      return;
    }
    this.#channels.set(channel, [listener]);
    await this.#ready;
    if (this.#isUp && this.#client) await this.#client.query(`LISTEN ${this.#client.escapeIdentifier(channel)}`);
  }

  connected(): boolean {
    return this.#isUp;
  }

  onReconnect(callback: () => void): void {
    this.#reconnected.push(callback);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isUp = false;
    clearTimeout(this.#timer);
    clearInterval(this.#beat);
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const { applicationName, beatMs } = this.#options;
    const client = new WatchedClient({ ...connectionConfig(this.#connection, applicationName, undefined, beatMs), pipeline: false });
    this.#client = client;
    client.on('error', (error) => this.#lost(client, error));
    client.on('end', () => this.#lost(client, new Error('The listening connection ended')));
    client.on('notification', ({ channel, payload }) => {
      for (const listener of this.#channels.get(channel) ?? []) listener(payload ?? '');
    });
    try {
      await client.connect();
      await client.query('SET idle_in_transaction_session_timeout = 0');
      for (const channel of this.#channels.keys()) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      this.#lost(client, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (this.#isClosed) return;
    this.#isUp = true;
    if (this.#wasUp) for (const callback of this.#reconnected) callback();
    this.#wasUp = true;
  }

  #lost(client: pg.Client, error: Error): void {
    if (client !== this.#client || this.#isClosed) return;
    this.#client = undefined;
    this.#isUp = false;
    this.#options.onError(error);
    void client.end().catch(() => undefined);
    this.#timer = setTimeout(() => {
      this.#ready = this.#connect();
    }, reconnectDelayMs);
  }
}
