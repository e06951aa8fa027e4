import { X509Certificate } from 'node:crypto';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { createLogger } from '../platform/telemetry/log.ts';
import { type Operator, UsageError } from './operator.ts';
import { rotateSigningKey, sealAuthority } from './tools/keys.ts';
import { replaceMasterKey } from './tools/master-key.ts';

export const usage = `Usage: chancery keys rotate [--purpose access|witness|webhook|evidence|saml] [--now | --compromised]
       chancery keys rotate-master
       chancery keys authority [--renew | --revoke]

rotate activates the next signing key once it has been published for 10 minutes. The default purpose is access.

  --now           activates the key at once.
  --compromised   replaces the key at once and invalidates its signatures.

rotate-master re-encrypts all secrets with MASTER_KEY. MASTER_KEYS_ACCEPTED is then no longer needed.

authority shows the certificate authority of seals and the current seal certificate.

  --renew         creates a new key and certificate.
  --revoke        also revokes the previous certificate.
`;

/** The options of each action. */
const optionsOf: Record<string, readonly string[]> = {
  rotate: ['purpose', 'now', 'compromised'],
  'rotate-master': [],
  authority: ['renew', 'revoke'],
};

/** `keys rotate-master`: re-encrypts all secrets with MASTER_KEY. Afterwards the keys of MASTER_KEYS_ACCEPTED are no longer needed. */
async function rotateMaster({ env, stdout }: Operator): Promise<number> {
  const config = readConfig(env);
  if (config.MASTER_KEYS_ACCEPTED.length === 0) {
    throw new Error(
      'MASTER_KEYS_ACCEPTED is not set. On every node, set MASTER_KEY to the new key and MASTER_KEYS_ACCEPTED to the old key. Restart the nodes and repeat this command.',
    );
  }
  await replaceMasterKey(config, createLogger(config.LOG_LEVEL), ({ table, column, done, of, unreadable }) => {
    const lost = unreadable > 0 ? `, ${unreadable} of them cannot be decrypted with any key` : '';
    stdout.write(`${table}.${column}: ${done} of ${Math.max(of, done)} re-encrypted${lost}\n`);
  });
  stdout.write(
    'All secrets are encrypted with MASTER_KEY. Remove MASTER_KEYS_ACCEPTED from the settings of every node, restart the nodes, and destroy the old key.\n',
  );
  return 0;
}

const purposes = ['access', 'witness', 'webhook', 'evidence', 'saml'] as const;

/** Formats the subject, validity and fingerprint of a certificate. */
function described(certificate: Buffer): string {
  const { subject, validFrom, validTo, fingerprint256 } = new X509Certificate(certificate);
  return `  ${subject.replaceAll('\n', ', ')}\n  from ${validFrom} to ${validTo}\n  SHA-256 ${fingerprint256}\n`;
}

/**
 * `keys authority`: shows the certificate authority of seals and the current seal certificate. `--renew` creates a new key and certificate, which is
 * necessary at least every two years. `--revoke` also revokes the previous certificate, for a leaked key.
 */
async function authority({ env, stdout }: Operator, renewal: 'renewed' | 'revoked' | undefined): Promise<number> {
  const config = readConfig(env);
  const { authority: issuer, seal } = await sealAuthority(config, createLogger(config.LOG_LEVEL), renewal);
  stdout.write(`Certificate authority of seals\n${described(issuer)}Seal certificate\n${described(seal)}`);
  if (renewal === 'revoked') stdout.write('The previous certificate is revoked, and its key is deleted.\n');
  return 0;
}

/**
 * `keys rotate`: activates the next key at once if it was published at least 10 minutes ago, which is the usual case. Otherwise a running worker
 * activates it when 10 minutes have passed, or `--now` activates it at once. `--compromised` is for leaked keys: it discards the active and the next
 * key at once and creates new keys.
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
  if (positionals.length !== 1 || !takes) throw new UsageError(`Specify an action: ${Object.keys(optionsOf).join(', ')}.`);
  const stray = Object.keys(values).find((name) => !takes.includes(name));
  if (stray !== undefined) throw new UsageError(`keys ${action} does not accept --${stray}.`);
  // One of the two is irreversible, so the command does not choose.
  if (values.now && values.compromised) throw new UsageError('Use either --now or --compromised.');
  if (values.renew && values.revoke) throw new UsageError('Use either --renew or --revoke.');
  if (action === 'rotate-master') return rotateMaster(operator);
  if (action === 'authority') return authority(operator, values.revoke ? 'revoked' : values.renew ? 'renewed' : undefined);
  const purpose = purposes.find((candidate) => candidate === (values.purpose ?? 'access'));
  if (!purpose) throw new UsageError(`--purpose must be one of ${purposes.join(', ')}.`);
  const config = readConfig(env);
  const when = values.compromised ? 'compromised' : values.now ? 'now' : 'once published';
  const done = await rotateSigningKey(config, createLogger(config.LOG_LEVEL), { purpose, when });
  stdout.write(
    done.signs === 'now'
      ? `The ${purpose} key ${done.kid} signs from now on. Signatures of the previous key ${when === 'compromised' ? 'are no longer valid' : 'remain valid'}.\n`
      : `The ${purpose} key ${done.kid} was published less than 10 minutes ago and signs from ${done.from}, so that clients can load it first. A running worker activates it; --now activates it at once.\n`,
  );
  return 0;
}
