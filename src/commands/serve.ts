import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Role, startService } from '../service.ts';
import { stopSignal } from './stop-signal.ts';

const roles: Role[] = ['all', 'api', 'worker'];

/** Serves until SIGTERM or SIGINT, then finishes what is in flight. */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { role: { type: 'string', default: 'all' } } });
  const role = roles.find((candidate) => candidate === values.role);
  if (!role) throw new Error(`--role must be one of ${roles.join(', ')}.`);
  const config = readConfig(process.env);
  const log = createLogger(config.LOG_LEVEL);
  const asked = stopSignal();
  const service = await startService({ config, role, log });
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
