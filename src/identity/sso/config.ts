import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

export const ssoSettings = {
  SSO_ALLOW_PRIVATE: setting(
    'allow http and private addresses for single sign-on providers; default: true in development, false in production',
    '',
    optionalFlag,
  ),
  SSO_ALLOW_CIDRS: setting(
    'private address blocks that are allowed for single sign-on providers even if SSO_ALLOW_PRIVATE is false',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  SSO_DNS_SERVERS: setting('name servers for single sign-on providers and domain proofs, instead of those of the system', '', nameServers),
} as const;

/** The settings with their resolved defaults. */
export type SsoConfig = Omit<ValuesOf<typeof ssoSettings>, 'SSO_ALLOW_PRIVATE'> & { SSO_ALLOW_PRIVATE: boolean };

export function resolveSsoSettings(read: ValuesOf<typeof ssoSettings>, { production }: PlatformConfig): SsoConfig {
  return { ...read, SSO_ALLOW_PRIVATE: read.SSO_ALLOW_PRIVATE ?? !production };
}
