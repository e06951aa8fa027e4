import type { PlatformConfig } from '../../platform/config.ts';
import { optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

/** The settings of this domain. */
export const connectedAppSettings = {
  PROGRAMS_ALLOW_PRIVATE: setting(
    'http and private addresses for the documents of programs that persons connect: true in development, false in production unless set',
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
