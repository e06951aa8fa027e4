import { readFileSync } from 'node:fs';
import { secret, setting } from '../../platform/settings.ts';
import { readCertificates } from './verifying/index.ts';

function readTrusted(file: string): string {
  if (file === '') return '';
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Error('names a file that cannot be read', { cause: error });
  }
  let certificates: unknown[] = [];
  try {
    certificates = readCertificates(text);
  } catch {
    // A malformed file gets the same error as a file without certificates.
  }
  if (certificates.length === 0) throw new Error('must name a PEM file of certificates');
  return text;
}

function readAddress(value: string): string {
  if (value !== '' && !/^https?:\/\/[^\s@]+$/.test(value)) throw new Error('must be an http or https address without a password');
  return value;
}

function readFileName(value: string): string {
  try {
    if (value !== '') readFileSync(value);
  } catch (error) {
    throw new Error('names a file that cannot be read', { cause: error });
  }
  return value;
}

/** The settings of this domain. */
export const signatureSettings = {
  VERIFY_TRUST: setting(
    'PEM file with trusted certificates of authorities or signers; the verification reports their signatures as valid, all others as unknown',
    '',
    readTrusted,
  ),
  SEAL_PKCS12: setting(
    'PKCS#12 file with the key and certificate that seal documents; by default the service uses its own authority (see `chancery keys authority`)',
    '',
    readFileName,
  ),
  SEAL_PKCS12_PASSWORD: secret('password of the SEAL_PKCS12 file', '', String),
  // Some timestamp authorities expect their key in the query string.
  TIMESTAMP_URL: secret(
    'URL of a timestamp authority (RFC 3161) that confirms when documents were sealed; without it, seals have no confirmed time',
    '',
    readAddress,
  ),
} as const;
