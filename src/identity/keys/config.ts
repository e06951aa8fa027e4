import { integer, oneOf, setting, type ValuesOf } from '../../platform/settings.ts';
import type { KeySettings } from './jobs.ts';
import type { SealSettings } from './seal/index.ts';

export const keySettings = {
  SEAL_NAME: setting(
    'name of the organisation in the seals of documents, shown in the certificate and in PDF readers; by default the host of BASE_URL',
    '',
    (value) => {
      if (value.length > 60 || /[\p{Cc}\p{Cf}]/u.test(value)) throw new Error('must be at most 60 characters on one line');
      return value;
    },
  ),
  SIGNING_ALGORITHM: setting(
    'algorithm of access tokens: ES256, EdDSA or RS256; a change takes effect ten minutes after the start, with the next key',
    'ES256',
    oneOf('ES256', 'EdDSA', 'RS256'),
  ),
  KEY_ROTATION_DAYS: setting('days before a signing key is replaced by the next one', '90', integer(1, 3_650)),
} as const;

export function sealSettings(config: ValuesOf<typeof keySettings>, baseUrl: string): SealSettings {
  return { name: config.SEAL_NAME || new URL(baseUrl).hostname, baseUrl };
}

export function rotationSettings(config: ValuesOf<typeof keySettings>): KeySettings {
  return { accessAlgorithm: config.SIGNING_ALGORITHM, rotationDays: config.KEY_ROTATION_DAYS };
}
