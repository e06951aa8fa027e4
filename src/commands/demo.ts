import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { playMainJob } from '../demo/main-job.ts';
import { startReceiver } from '../demo/receiver-process.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { startService } from '../service.ts';
import { stopSignal } from './serve.ts';

const line = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Starts the service on an embedded database, plays its main job once through the public API, with a bundled receiver in
 * a process of its own, and goes on serving. With `--once` it exits: 0 after the job, 1 at the first step that fails.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { once: { type: 'boolean', default: false } } });
  const config = demoConfig(process.env);
  const asked = stopSignal();
  const service = await startService({ config, role: 'all', log: createLogger(process.env.LOG_LEVEL ?? 'warn') });
  const receiver = await startReceiver();
  try {
    line(`\nChancery runs at ${config.BASE_URL}\n`);
    const played = await playMainJob(config.BASE_URL, receiver, line);
    if (!played) return 1;
    if (values.once) return 0;
    line(`
  API reference      ${config.BASE_URL}/docs
  Mails it has sent  ${config.BASE_URL}/dev/mail
  Sign in with       ${played.email} and the password ${played.password}
  Stop with          Ctrl-C
`);
    await asked;
    return 0;
  } finally {
    receiver.stop();
    await service.stop();
  }
}

/** The settings of the demo: those of development, with the proof of work on, as people will meet it. */
function demoConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig({ ALTCHA: 'on', DATA_DIR: './data/demo', ...environment });
}
