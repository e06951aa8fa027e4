import process from 'node:process';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import { openConnection, type OpenedConnection } from '../open-database.ts';
import { readPlatformConfig } from '../platform/config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import type { Role, Service } from '../service.ts';
import { ignoreLeakedFileErrors } from './leaked-files.ts';
import { UsageError } from './operator.ts';
import { stopSignal } from './stop-signal.ts';

export const usage = `Usage: chancery serve [--role all|api|worker]

Runs until SIGTERM, SIGINT or SIGHUP, and then stops gracefully. Settings are environment variables: see \`chancery doctor\` and docs/reference/configuration.md.

  --role all      api serves requests, worker does background work, all does both

Each role serves /healthz, /readyz and /metrics on HOST: api and all on PORT, worker on HEALTH_PORT.
`;

const roles: Role[] = ['all', 'api', 'worker'];

/** Runs the service until a stop signal, then finishes requests and jobs in progress. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((candidate) => candidate === values.role);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}.`);
  const platform = readPlatformConfig(process.env);
  const log = createLogger(platform.LOG_LEVEL);
  ignoreLeakedFileErrors(log);
  const stopRequested = stopSignal();
  // The embedded database starts while the other modules load: each takes about 0.5 s.
  const connecting = openConnection(platform, log);
  const stopping = new AbortController();
  void stopRequested.then(() => stopping.abort());
  const service = await start(role, log, connecting, stopping.signal).catch(async (error: unknown) => {
    await connecting.then(
      ({ server }) => server?.stop(),
      () => undefined,
    );
    if (stopping.signal.aborted) return undefined;
    throw error;
  });
  if (!service) return 0;
  log.info(
    { address: service.address, baseUrl: platform.BASE_URL, role },
    role === 'worker' ? `The worker runs; health and metrics are on ${service.address}` : `Chancery listens on ${service.address}`,
  );
  const signal = await stopRequested;
  log.info({ signal }, 'stopping');
  // A second SIGINT stops the process at once.
  process.once('SIGINT', () => process.exit(130));
  await service.stop();
  log.info('stopped');
  return 0;
}

async function start(role: Role, log: Logger, connecting: Promise<OpenedConnection>, stopping: AbortSignal): Promise<Service> {
  // The code that awaits `connecting` handles its error. This handler only prevents an unhandled rejection.
  connecting.catch(() => undefined);
  const { readConfig } = await import('../config.ts');
  const { startService } = await import('../service.ts');
  return startService({ config: readConfig(process.env), role, log, connecting, stopping, beforeListening: giveBackMemory });
}

/**
 * Lets the heap double before the next full garbage collection. By default V8 lets a heap of this size grow by about 5 %.
 * A list of several megabytes exceeds that, and each full collection stops all requests for tens of milliseconds.
 */
const roomyHeap = '--heap-growing-percent=100';

/**
 * Runs one full garbage collection after the start, which frees a fifth of the memory of the process. Most of that memory
 * was used to compile schemas and statements, and V8 would keep it.
 */
function giveBackMemory(): void {
  setFlagsFromString(roomyHeap);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
