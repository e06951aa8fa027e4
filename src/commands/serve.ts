import process from 'node:process';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Role, startService } from '../service.ts';
import { outliveLeakedFiles } from './leaked-files.ts';
import { stopSignal } from './stop-signal.ts';

const roles: Role[] = ['all', 'api', 'worker'];

/** Serves until SIGTERM or SIGINT, then finishes what is in flight. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((candidate) => candidate === values.role);
  if (!role) throw new Error(`--role must be one of ${roles.join(', ')}.`);
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL);
  outliveLeakedFiles(log);
  const asked = stopSignal();
  const service = await startService({ config, role, log, beforeListening: giveBackMemory });
  log.info(
    { address: service.address, baseUrl: config.BASE_URL, role },
    service.address ? `Chancery listens on ${service.address}` : 'Chancery works',
  );
  const signal = await asked;
  log.info({ signal }, 'stopping');
  // A second signal does not wait.
  process.once('SIGINT', () => process.exit(130));
  await service.stop();
  log.info('stopped');
  return 0;
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
