import { readFileSync } from 'node:fs';
import type { PlatformConfig } from '../../platform/config.ts';
import { ConfigError, integer, isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';
import { parseSchedule } from './sending/retry.ts';

/** Reads the certificates of the file. */
function readAuthorities(file: string): string | undefined {
  if (file === '') return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error('names a file that cannot be read', { cause: error });
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error('must name a PEM file of certificates');
  return text;
}

export const webhookSettings = {
  WEBHOOKS_ALLOW_PRIVATE: setting(
    'allow http and private addresses for webhook targets; default: true in development, false in production',
    '',
    optionalFlag,
  ),
  WEBHOOKS_ALLOW_CIDRS: setting(
    'private address blocks that are allowed for webhook targets even if WEBHOOKS_ALLOW_PRIVATE is false',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  WEBHOOKS_CA_FILE: setting(
    'PEM file of certificate authorities that webhook targets may use besides the public ones',
    '',
    readAuthorities,
  ),
  WEBHOOKS_DNS_SERVERS: setting('name servers for webhook targets, instead of the system’s', '', nameServers),
  WEBHOOK_RETRY_SCHEDULE: setting('waits between attempts, such as 5s,5m,1h; by default exponential over 54 hours', '', (value) =>
    value === '' ? undefined : parseSchedule(value),
  ),
  WEBHOOK_TIMEOUT_SECONDS: setting('deadline of one delivery, body included', '15', integer(1, 60)),
  WEBHOOK_LEASE_SECONDS: setting('seconds until another worker may claim a delivery again; longer than the timeout', '30', integer(2, 600)),
} as const;

/** The settings with their defaults applied. */
export type WebhookConfig = Omit<ValuesOf<typeof webhookSettings>, 'WEBHOOKS_ALLOW_PRIVATE'> & { WEBHOOKS_ALLOW_PRIVATE: boolean };

export function resolveWebhooksSettings(read: ValuesOf<typeof webhookSettings>, { production }: PlatformConfig): WebhookConfig {
  if (read.WEBHOOK_LEASE_SECONDS <= read.WEBHOOK_TIMEOUT_SECONDS)
    throw new ConfigError(
      'WEBHOOK_LEASE_SECONDS must be longer than WEBHOOK_TIMEOUT_SECONDS, or two workers would send the same delivery.',
    );
  return { ...read, WEBHOOKS_ALLOW_PRIVATE: read.WEBHOOKS_ALLOW_PRIVATE ?? !production };
}
