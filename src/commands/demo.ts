import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { playMainJob } from './demo/main-job.ts';
import { demoOwner, prepareOwner } from './demo/person.ts';
import { startReceiver } from './demo/receiver-process.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { startService } from '../service.ts';
import { stopSignal } from './stop-signal.ts';

export const usage = `Usage: chancery demo [--once]

Plays the main job on an embedded database in DATA_DIR (./data/demo unless set), and goes on serving.

  --once          ends after the main job: with 0, or with 1 at the first step that fails
`;

const line = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Starts the service on an embedded database, plays its main job once through the public API, with a bundled receiver in
 * a process of its own, and goes on serving. With `--once` it exits: 0 after the job, 1 at the first step that fails.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { once: { type: 'boolean', default: false } } });
  const config = demoConfig(process.env);
  const stopRequested = stopSignal();
  const service = await startService({ config, role: 'all', log: createLogger(process.env.LOG_LEVEL ?? 'error') });
  const receiver = await startReceiver();
  try {
    line(`\nChancery runs at ${config.BASE_URL} and does its main job once:\n`);
    if (!(await playMainJob(config.BASE_URL, receiver, line))) return 1;
    if (values.once) return 0;
    const pages = await prepareOwner(config.BASE_URL, receiver);
    line(`
  API reference     ${config.BASE_URL}/docs
  Mails it sent     ${config.BASE_URL}/dev/mail
  Sign in with      ${demoOwner.email} and the password ${demoOwner.password}
  A form            ${pages.form}
  A booking page    ${pages.booking}
  A page to sign    ${pages.signing}
  Webhook receiver  ${receiver.url}, which prints what it verifies here
  Stop with         Ctrl-C
`);
    receiver.onDelivery(({ verified, type, id }) =>
      line(`  ← ${type.padEnd(24)} ${id} ${verified ? 'signature verified' : 'SIGNATURE NOT VERIFIED'}`),
    );
    await stopRequested;
    return 0;
  } finally {
    receiver.stop();
    await service.stop();
  }
}

/** The settings of the demo: those of development, on a database of its own, with the proof of work on, as people will meet it. */
function demoConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig({
    ALTCHA: 'on',
    DATA_DIR: './data/demo',
    // Canned answers, which say so, where there is no model.
    AGENT_MODEL_PROTOCOL: environment.AGENT_MODEL_URL === undefined ? 'simulated' : undefined,
    ...environment,
    NODE_ENV: 'development',
    DATABASE_URL: undefined,
    SMTP_URL: undefined,
  });
}
