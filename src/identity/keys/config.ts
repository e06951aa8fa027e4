import { integer, oneOf, setting, type ValuesOf } from '../../platform/settings.ts';
import type { KeySettings } from './jobs.ts';
import type { SealSettings } from './seal/index.ts';

/** The settings of this domain. */
export const keySettings = {
  SEAL_NAME: setting(
    'whose seal it is on sealed documents, as their certificate and their readers show it; by default the host of BASE_URL',
    '',
    (value) => {
      if (value.length > 60 || /[\p{Cc}\p{Cf}]/u.test(value)) throw new Error('must be at most 60 characters on one line');
      return value;
    },
  ),
  SIGNING_ALGORITHM: setting(
    'of access tokens: ES256, EdDSA or RS256; a change takes effect ten minutes after a start, with the next key',
    'ES256',
    oneOf('ES256', 'EdDSA', 'RS256'),
  ),
  KEY_ROTATION_DAYS: setting('days that a signing key signs, before the next one takes over', '90', integer(1, 3_650)),
} as const;

/** Whose seals they are. */
export function sealSettings(config: ValuesOf<typeof keySettings>, baseUrl: string): SealSettings {
  return { name: config.SEAL_NAME || new URL(baseUrl).hostname, baseUrl };
}

/** What rotation goes by. */
export function rotationSettings(config: ValuesOf<typeof keySettings>): KeySettings {
  return { accessAlgorithm: config.SIGNING_ALGORITHM, rotationDays: config.KEY_ROTATION_DAYS };
}
