import type { PlatformConfig } from '../../platform/config.ts';
import { optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

export const connectedAppSettings = {
  PROGRAMS_ALLOW_PRIVATE: setting(
    'allow http and private addresses for metadata documents of connected apps; default: true in development, false in production',
    '',
    optionalFlag,
  ),
} as const;

export function settleConnectedApps(
  read: ValuesOf<typeof connectedAppSettings>,
  { production }: PlatformConfig,
): { PROGRAMS_ALLOW_PRIVATE: boolean } {
  return { PROGRAMS_ALLOW_PRIVATE: read.PROGRAMS_ALLOW_PRIVATE ?? !production };
}
