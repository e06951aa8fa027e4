import { integer, oneOf, setting, type ValuesOf } from '../platform/settings.ts';
import type { KeySettings } from './jobs.ts';

/** The settings of this domain. */
export const keySettings = {
  SIGNING_ALGORITHM: setting(
    'of access tokens: ES256, EdDSA or RS256; a change takes effect ten minutes after a start, with the next key',
    'ES256',
    oneOf('ES256', 'EdDSA', 'RS256'),
  ),
  KEY_ROTATION_DAYS: setting('days that a signing key signs, before the next one takes over', '90', integer(1, 3_650)),
} as const;

/** What rotation goes by. */
export function rotationSettings(config: ValuesOf<typeof keySettings>): KeySettings {
  return { accessAlgorithm: config.SIGNING_ALGORITHM, rotationDays: config.KEY_ROTATION_DAYS };
}
