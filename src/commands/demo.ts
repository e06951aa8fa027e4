import process from 'node:process';
import { parseArgs } from 'node:util';
import { type Config, readConfig } from '../config.ts';
import { runMainScenario } from './demo/main-job.ts';
import { demoOwner, prepareOwner } from './demo/person.ts';
import { startReceiver } from './demo/receiver-process.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { startService } from '../service.ts';
import { stopSignal } from './stop-signal.ts';

export const usage = `Usage: chancery demo [--once]

Runs an example on an embedded database in DATA_DIR (./data/demo by default), then serves until Ctrl-C.

  --once          exits after the example: 0 for success, 1 at the first failed step
`;

const line = (text: string) => process.stdout.write(`${text}\n`);

/**
 * Starts the service on an embedded database and runs the example through the public API. A separate process receives the webhooks.
 * Then serves until a stop signal. With `--once` it exits after the example: 0 for success, 1 at the first failed step.
 */
export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { once: { type: 'boolean', default: false } } });
  const config = demoConfig(process.env);
  const stopRequested = stopSignal();
  const service = await startService({ config, role: 'all', log: createLogger(process.env.LOG_LEVEL ?? 'error') });
  const receiver = await startReceiver();
  try {
    line(`\nChancery runs at ${config.BASE_URL}. Example:\n`);
    if (!(await runMainScenario(config.BASE_URL, receiver, line))) return 1;
    if (values.once) return 0;
    const pages = await prepareOwner(config.BASE_URL, receiver);
    line(`
  Console           ${config.BASE_URL}/app
  API reference     ${config.BASE_URL}/docs
  Sent emails       ${config.BASE_URL}/dev/mail
  Sign in with      ${demoOwner.email} and the password ${demoOwner.password}
  Form              ${pages.form}
  Booking page      ${pages.booking}
  Signing page      ${pages.signing}
  Webhook receiver  ${receiver.url}. This terminal shows each verified webhook.
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

/** The settings of the demo: development mode, a separate database, and the proof of work enabled as in production. */
function demoConfig(environment: NodeJS.ProcessEnv): Config {
  return readConfig({
    ALTCHA: 'on',
    DATA_DIR: './data/demo',
    // Without a configured model, a simulated one gives canned responses and identifies itself as simulated.
    AGENT_MODEL_PROTOCOL: environment.AGENT_MODEL_URL === undefined ? 'simulated' : undefined,
    ...environment,
    NODE_ENV: 'development',
    REGISTRATION: undefined,
    DATABASE_URL: undefined,
    DATABASE_URL_FILE: undefined,
    SMTP_URL: undefined,
    SMTP_URL_FILE: undefined,
  });
}
