import { createServer } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { missingMigrations, type OpenedConnection } from './open-database.ts';
import type { PlatformConfig } from './platform/config.ts';

const pollMs = 1_000;

type SchemaWait = { config: PlatformConfig; port: number; log: Logger; signal?: AbortSignal | undefined };

/**
 * Waits until the database has the schema of this version. Until then `/healthz` responds with 200, and all else with 503 and the reason, so that
 * probes and operators see it. Rejects if the signal aborts, or if the schema does not belong to this version.
 */
export async function waitForSchema({ config, port, log, signal }: SchemaWait, opened: OpenedConnection): Promise<void> {
  const missing = await missingMigrations(config, opened);
  if (missing.length === 0) return;
  const reason = `The database lacks ${missing.length} migrations. Run chancery migrate.`;
  log.warn({ missing }, reason);
  const server = createServer((request, response) => {
    const isAlive = request.url === '/healthz';
    response.writeHead(isAlive ? 200 : 503, { 'content-type': 'application/json', 'retry-after': '5' });
    response.end(JSON.stringify(isAlive ? { status: 'ok' } : { status: 'unavailable', reason }));
  });
  server.listen(port, config.HOST);
  try {
    await once(server, 'listening');
    do await sleep(pollMs, undefined, { signal });
    while ((await missingMigrations(config, opened)).length > 0);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
