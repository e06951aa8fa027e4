import type { PlatformConfig } from '../../platform/config.ts';
import { isBlock, listOf, nameServers, optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const ssoSettings = {
  SSO_ALLOW_PRIVATE: setting(
    'http and private addresses as providers of single sign-on: true in development, false in production unless set',
    '',
    optionalFlag,
  ),
  SSO_ALLOW_CIDRS: setting(
    'private blocks that providers of single sign-on may be in nevertheless',
    '',
    listOf(isBlock, 'must be blocks, such as 10.20.0.0/16, separated by commas'),
  ),
  SSO_DNS_SERVERS: setting(
    'name servers that providers of single sign-on and proofs of domains are looked up with, instead of the system’s',
    '',
    nameServers,
  ),
} as const;

/** The same, with what follows from one another decided. */
export type SsoConfig = Omit<ValuesOf<typeof ssoSettings>, 'SSO_ALLOW_PRIVATE'> & { SSO_ALLOW_PRIVATE: boolean };

export function settleSso(read: ValuesOf<typeof ssoSettings>, { production }: PlatformConfig): SsoConfig {
  return { ...read, SSO_ALLOW_PRIVATE: read.SSO_ALLOW_PRIVATE ?? !production };
}
