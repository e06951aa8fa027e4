import type { PlatformConfig } from '../../platform/config.ts';
import { optionalFlag, setting, type ValuesOf } from '../../platform/settings.ts';

export const connectedAppSettings = {
  CONNECTED_APPS_ALLOW_PRIVATE: setting(
    'allow http and private addresses for metadata documents of connected apps; default: true in development, false in production',
    '',
    optionalFlag,
  ),
} as const;

export function resolveConnectedAppsSettings(
  read: ValuesOf<typeof connectedAppSettings>,
  { production }: PlatformConfig,
): { CONNECTED_APPS_ALLOW_PRIVATE: boolean } {
  return { CONNECTED_APPS_ALLOW_PRIVATE: read.CONNECTED_APPS_ALLOW_PRIVATE ?? !production };
}
