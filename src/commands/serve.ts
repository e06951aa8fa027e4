import process from 'node:process';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Logger } from 'pino';
import { openConnection, type OpenedConnection } from '../open-database.ts';
import { readPlatformConfig } from '../platform/config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import type { Role, Service } from '../service.ts';
import { outliveLeakedFiles } from './leaked-files.ts';
import { UsageError } from './operator.ts';
import { stopSignal } from './stop-signal.ts';

export const usage = `Usage: chancery serve [--role all|api|worker]

Serves until SIGTERM, SIGINT or SIGHUP, and then ends in order. Settings are environment variables: see \`chancery doctor\` and docs/reference/configuration.md.

  --role all      what to do: api answers requests, worker does the background work, all does both

Each role answers /healthz, /readyz and /metrics on HOST and PORT.
`;

const roles: Role[] = ['all', 'api', 'worker'];

/** Serves until it is told to stop, then finishes what is in flight. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((candidate) => candidate === values.role);
  if (!role) throw new UsageError(`--role must be one of ${roles.join(', ')}.`);
  const platform = readPlatformConfig(process.env);
  const log = createLogger(platform.LOG_LEVEL);
  outliveLeakedFiles(log);
  const asked = stopSignal();
  // An embedded database starts while the rest of the program is loaded: either takes about half a second.
  const connecting = openConnection(platform, log);
  const service = await start(role, log, connecting).catch(async (error: unknown) => {
    await connecting.then(
      ({ server }) => server?.stop(),
      () => undefined,
    );
    throw error;
  });
  log.info(
    { address: service.address, baseUrl: platform.BASE_URL, role },
    role === 'worker' ? `Chancery works; health and metrics are on ${service.address}` : `Chancery listens on ${service.address}`,
  );
  const signal = await asked;
  log.info({ signal }, 'stopping');
  // A second signal does not wait.
  process.once('SIGINT', () => process.exit(130));
  await service.stop();
  log.info('stopped');
  return 0;
}

async function start(role: Role, log: Logger, connecting: Promise<OpenedConnection>): Promise<Service> {
  // What becomes of it is told where it is waited for.
  connecting.catch(() => undefined);
  const { readConfig } = await import('../config.ts');
  const { startService } = await import('../service.ts');
  return startService({ config: readConfig(process.env), role, log, connecting, beforeListening: giveBackMemory });
}

/**
 * The heap may double before all of it is collected again. By itself V8 lets a heap of this size grow by some five percent, and one
 * list of several megabytes is as much: each then halts every request for tens of milliseconds.
 */
const roomyHeap = '--heap-growing-percent=100';

/**
 * What compiling schemas and statements took is most of the memory of a process that has just started, and V8 keeps it
 * until it needs it: one thorough collection gives back a fifth of the whole.
 */
function giveBackMemory(): void {
  setFlagsFromString(roomyHeap);
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
