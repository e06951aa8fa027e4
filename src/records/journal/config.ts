import type { PlatformConfig } from '../../platform/config.ts';
import { integer, optional, setting, type ValuesOf } from '../../platform/settings.ts';

function keyName(value: string): string {
  if (/[\s+\p{Cc}]/u.test(value)) throw new Error('must have no spaces and no plus, such as audit.example.com/tlog');
  return value;
}

export const auditSettings = {
  AUDIT_ORIGIN: setting(
    'name of the audit journal’s tree in its checkpoints; by default BASE_URL without its scheme, followed by /tlog',
    '',
    (value) => (value === '' ? undefined : keyName(value)),
  ),
  AUDIT_WITNESSES: setting(
    'external witnesses that cosign checkpoints: verifier key, space, address; several separated by commas',
    '',
    optional,
  ),
  AUDIT_ADDRESS_DAYS: setting('days until the IP addresses in the journal are erased; 0 keeps them', '0', integer(0, 36_500)),
} as const;

/** The settings with their defaults applied. */
export type AuditConfig = Omit<ValuesOf<typeof auditSettings>, 'AUDIT_ORIGIN'> & { AUDIT_ORIGIN: string };

export function resolveAuditSettings(read: ValuesOf<typeof auditSettings>, { BASE_URL }: PlatformConfig): AuditConfig {
  // The name of a log is the address of its tiles without the scheme (C2SP tlog-tiles, Parameters).
  return { ...read, AUDIT_ORIGIN: read.AUDIT_ORIGIN ?? `${BASE_URL.replace(/^https?:\/\//, '')}/tlog` };
}
