import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { rotateSigningKey } from '../tools/keys.ts';

const purposes = ['access', 'witness', 'webhook'] as const;

/**
 * `keys rotate`: the next key takes over at once when it has been published for ten minutes, as it nearly always has;
 * else as soon as it has, which a running worker sees to. `--now` does not wait for that. `--compromised` is for keys that
 * others may know: the old one and the next are taken out of use at once, and new ones made.
 */
export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      purpose: { type: 'string', default: 'access' },
      now: { type: 'boolean', default: false },
      compromised: { type: 'boolean', default: false },
    },
  });
  if (positionals.length !== 1 || positionals[0] !== 'rotate')
    throw new Error('Say what to do with the keys: keys rotate [--purpose access|witness|webhook] [--now | --compromised].');
  const purpose = purposes.find((candidate) => candidate === values.purpose);
  if (!purpose) throw new Error(`--purpose must be one of ${purposes.join(', ')}.`);
  const config = readConfig(process.env);
  const when = values.compromised ? 'compromised' : values.now ? 'now' : 'once published';
  const done = await rotateSigningKey(config, createLogger(config.LOG_LEVEL), { purpose, when });
  process.stdout.write(
    done.signs === 'now'
      ? `The ${purpose} key ${done.kid} signs from now on; what the one before signed ${when === 'compromised' ? 'verifies no more' : 'still verifies'}.\n`
      : `The ${purpose} key ${done.kid} was published a moment ago and signs from ${done.from}, so that nobody meets it unprepared. A running worker sees to that; --now does not wait.\n`,
  );
  return 0;
}
