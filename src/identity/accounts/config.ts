import type { PlatformConfig } from '../../platform/config.ts';
import { lifetimeError, lifetimeSettings } from '../../platform/lifetimes.ts';
import { ConfigError, isAddress, oneOf, setting, type ValuesOf } from '../../platform/settings.ts';

/** Validates the host name that browsers bind passkeys to, which cannot be an IP address (WebAuthn §5.1.2, RP ID). */
function relyingParty(value: string): string | undefined {
  if (value === '') return undefined;
  if (!isAddress(value) && /^(?=.{1,253}$)[a-z\d]([a-z\d-]*[a-z\d])?(\.[a-z\d]([a-z\d-]*[a-z\d])?)*$/.test(value)) return value;
  throw new Error('must be a host name in lower case, such as example.com, without scheme and port');
}

export const accountSettings = {
  ...lifetimeSettings,
  ALTCHA: setting('proof of work for registration and reset; default: on in production, off in development', '', (value) =>
    value === '' ? undefined : oneOf('on', 'off')(value),
  ),
  PASSKEY_RP_ID: setting(
    'host name that passkeys are bound to: the host of their pages or a parent domain; by default the host of BASE_URL',
    '',
    relyingParty,
  ),
} as const;

/** The settings with their resolved defaults. */
export type AccountConfig = Omit<ValuesOf<typeof accountSettings>, 'ALTCHA' | 'PASSKEY_RP_ID'> & {
  ALTCHA: 'on' | 'off';
  PASSKEY_RP_ID: string;
  /** Origins of pages that may use passkeys. */
  passkeyOrigins: string[];
};

export function resolveAccountsSettings(
  read: ValuesOf<typeof accountSettings>,
  { production, BASE_URL, CORS_ORIGINS }: PlatformConfig,
): AccountConfig {
  const error = lifetimeError(read);
  if (error !== undefined) throw new ConfigError(error);
  const passkeys = passkeySettings(read.PASSKEY_RP_ID, BASE_URL, CORS_ORIGINS);
  return { ...read, ALTCHA: read.ALTCHA ?? (production ? 'on' : 'off'), PASSKEY_RP_ID: passkeys.rpId, passkeyOrigins: passkeys.origins };
}

/**
 * Returns the host name for passkeys and the origins that may use them: the service’s own and those of
 * CORS_ORIGINS. Browsers do not bind passkeys to IP addresses, so a service on a loopback address uses `localhost`.
 */
function passkeySettings(given: string | undefined, baseUrl: string, corsOrigins: readonly string[]): { rpId: string; origins: string[] } {
  const own = new URL(baseUrl);
  if (/^(127\.\d+\.\d+\.\d+|\[::1\])$/.test(own.hostname)) own.hostname = 'localhost';
  const rpId = given ?? own.hostname;
  const origins = [...new Set([own.origin, ...corsOrigins])];
  const within = origins.filter((origin) => `.${new URL(origin).hostname}`.endsWith(`.${rpId}`));
  if (given !== undefined && within.length === 0)
    throw new ConfigError('PASSKEY_RP_ID must be the host of BASE_URL or of one of CORS_ORIGINS, or a parent domain.');
  return { rpId, origins: within };
}
