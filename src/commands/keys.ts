import { X509Certificate } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { rotateSigningKey, sealAuthority } from './tools/keys.ts';
import { replaceMasterKey } from './tools/master-key.ts';

export const usage = `Usage: chancery keys rotate [--purpose access|witness|webhook|evidence] [--now | --compromised]
       chancery keys rotate-master
       chancery keys authority [--renew | --revoke]

rotate lets the next signing key take over (--purpose access unless said), once it has been published for ten minutes.
  --now           does not wait for that
  --compromised   takes the key out of use at once, so that what it signed verifies no more
rotate-master seals everything anew under MASTER_KEY, so that MASTER_KEYS_ACCEPTED is needed no more.
authority shows the authority of seals and the certificate that signs.
  --renew         makes a new key and certificate
  --revoke        besides takes back the one of before
`;

/** Which options each action takes. */
const optionsOf: Record<string, readonly string[]> = {
  rotate: ['purpose', 'now', 'compromised'],
  'rotate-master': [],
  authority: ['renew', 'revoke'],
};

/** `keys rotate-master`: seals everything anew under MASTER_KEY, until the keys of MASTER_KEYS_ACCEPTED are needed no more. */
async function rotateMaster({ env, stdout }: Operator): Promise<number> {
  const config = readConfig(env);
  if (config.MASTER_KEYS_ACCEPTED.length === 0) {
    throw new Error(
      'Set MASTER_KEY to the new key and MASTER_KEYS_ACCEPTED to the one of before, on every node, restart them, and run this again.',
    );
  }
  await replaceMasterKey(config, createLogger(config.LOG_LEVEL), ({ table, column, done, of, unreadable }) => {
    const lost = unreadable > 0 ? `, ${unreadable} of them open with none of the keys` : '';
    stdout.write(`${table}.${column}: ${done} of ${Math.max(of, done)} sealed anew${lost}\n`);
  });
  stdout.write(
    'Everything is sealed under MASTER_KEY. Take MASTER_KEYS_ACCEPTED out of the settings of every node, restart them, and destroy the old key.\n',
  );
  return 0;
}

const purposes = ['access', 'witness', 'webhook', 'evidence'] as const;

/** What people compare a certificate by. */
function described(certificate: Buffer): string {
  const { subject, validFrom, validTo, fingerprint256 } = new X509Certificate(certificate);
  return `  ${subject.replaceAll('\n', ', ')}\n  from ${validFrom} to ${validTo}\n  SHA-256 ${fingerprint256}\n`;
}

/**
 * `keys authority` shows the authority of the service's seals and the certificate that signs. `--renew` makes a new key and certificate,
 * as is due before two years are over; `--revoke` besides takes back the one of before, whose key may be known to others.
 */
async function authority({ env, stdout }: Operator, renewal: 'renewed' | 'revoked' | undefined): Promise<number> {
  const config = readConfig(env);
  const { authority: issuer, seal } = await sealAuthority(config, createLogger(config.LOG_LEVEL), renewal);
  stdout.write(`Authority of seals\n${described(issuer)}Certificate that signs\n${described(seal)}`);
  if (renewal === 'revoked') stdout.write('The one of before is on the revocation list, and its key is erased.\n');
  return 0;
}

/**
 * `keys rotate`: the next key takes over at once when it has been published for ten minutes, as it nearly always has;
 * else as soon as it has, which a running worker sees to. `--now` does not wait for that. `--compromised` is for keys that
 * others may know: the old one and the next are taken out of use at once, and new ones made.
 */
export async function run(args: string[], operator: Operator = process): Promise<number> {
  const { env, stdout } = operator;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      purpose: { type: 'string' },
      now: { type: 'boolean' },
      compromised: { type: 'boolean' },
      renew: { type: 'boolean' },
      revoke: { type: 'boolean' },
    },
  });
  const [action = ''] = positionals;
  const takes = Object.hasOwn(optionsOf, action) ? optionsOf[action] : undefined;
  if (positionals.length !== 1 || !takes) throw new UsageError(`Say what to do with the keys: ${Object.keys(optionsOf).join(', ')}.`);
  const stray = Object.keys(values).find((name) => !takes.includes(name));
  if (stray !== undefined) throw new UsageError(`keys ${action} takes no --${stray}.`);
  // One of them takes effect for good: which was meant is not guessed.
  if (values.now && values.compromised) throw new UsageError('Give either --now or --compromised.');
  if (values.renew && values.revoke) throw new UsageError('Give either --renew or --revoke.');
  if (action === 'rotate-master') return rotateMaster(operator);
  if (action === 'authority') return authority(operator, values.revoke ? 'revoked' : values.renew ? 'renewed' : undefined);
  const purpose = purposes.find((candidate) => candidate === (values.purpose ?? 'access'));
  if (!purpose) throw new UsageError(`--purpose must be one of ${purposes.join(', ')}.`);
  const config = readConfig(env);
  const when = values.compromised ? 'compromised' : values.now ? 'now' : 'once published';
  const done = await rotateSigningKey(config, createLogger(config.LOG_LEVEL), { purpose, when });
  stdout.write(
    done.signs === 'now'
      ? `The ${purpose} key ${done.kid} signs from now on; what the one before signed ${when === 'compromised' ? 'verifies no more' : 'still verifies'}.\n`
      : `The ${purpose} key ${done.kid} was published a moment ago and signs from ${done.from}, so that nobody meets it unprepared. A running worker sees to that; --now does not wait.\n`,
  );
  return 0;
}
