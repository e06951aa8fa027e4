import type pg from 'pg';
import { type Connection, connectionConfig } from './pool.ts';
import { WatchedClient } from './watched-client.ts';

/** Hears NOTIFY on a connection of its own and comes back by itself when that connection is lost. */
export type Listener = {
  /** Calls `heard` with each payload of a channel. Resolves once the channel is listened to. */
  on(channel: string, heard: (payload: string) => void): Promise<void>;
  /** False while the connection is down: what depends on being told must then ask the database. */
  connected(): boolean;
  /** Called each time the connection was lost and is back: notifications in between were missed. */
  onReconnect(callback: () => void): void;
  close(): Promise<void>;
};

const reconnectDelayMs = 500;

/**
 * Opens the listening connection. A database that is away is tried again until {@link Listener.close}. Nothing comes for hours
 * where nothing happens: asked each `beatMs` for a sign of life, a connection that fell silent is found.
 */
export function openListener(
  connection: Connection,
  onError: (error: Error) => void,
  beatMs = 5_000,
  applicationName = 'chancery-listen',
): Listener {
  const channels = new Map<string, ((payload: string) => void)[]>();
  const reconnected: (() => void)[] = [];
  let client: pg.Client | undefined;
  let up = false;
  let closed = false;
  let everUp = false;
  let timer: NodeJS.Timeout | undefined;
  const beat = setInterval(() => client?.query('SELECT 1').catch(() => undefined), beatMs);
  beat.unref();
  let ready: Promise<void> = connect();

  async function connect(): Promise<void> {
    const next = new WatchedClient({ ...connectionConfig(connection, applicationName, undefined, beatMs), pipeline: false });
    client = next;
    next.on('error', (error) => lost(next, error));
    next.on('end', () => lost(next, new Error('the listening connection ended')));
    next.on('notification', ({ channel, payload }) => {
      for (const onPayload of channels.get(channel) ?? []) onPayload(payload ?? '');
    });
    try {
      await next.connect();
      await next.query('SET idle_in_transaction_session_timeout = 0');
      for (const channel of channels.keys()) await next.query(`LISTEN ${next.escapeIdentifier(channel)}`);
    } catch (error) {
      lost(next, error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (closed) return;
    up = true;
    if (everUp) for (const callback of reconnected) callback();
    everUp = true;
  }

  function lost(which: pg.Client, error: Error): void {
    if (which !== client || closed) return;
    client = undefined;
    up = false;
    onError(error);
    void which.end().catch(() => undefined);
    timer = setTimeout(() => {
      ready = connect();
    }, reconnectDelayMs);
  }

  return {
    async on(channel, onPayload) {
      const existing = channels.get(channel);
      if (existing) {
        existing.push(onPayload);
        return;
      }
      channels.set(channel, [onPayload]);
      await ready;
      if (up && client) await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    },
    connected: () => up,
    onReconnect: (callback) => void reconnected.push(callback),
    async close() {
      closed = true;
      up = false;
      clearTimeout(timer);
      clearInterval(beat);
      await client?.end().catch(() => undefined);
    },
  };
}
