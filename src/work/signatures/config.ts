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
    // One that is broken is told of like none.
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
    'PEM file of the certificates, of authorities or signers, whose signatures in PDFs are told to be valid; others are unknown',
    '',
    readTrusted,
  ),
  SEAL_PKCS12: setting(
    'PKCS#12 file with the key and certificate that seal documents; by default the service makes its own, which `chancery keys authority` shows',
    '',
    readFileName,
  ),
  SEAL_PKCS12_PASSWORD: secret('the password of that file', '', String),
  SEAL_PKCS12_PASSWORD_FILE: secret('a file with that password, in place of it', '', readFileName),
  // Some authorities take their key in the query.
  TIMESTAMP_URL: secret(
    'timestamp authority (RFC 3161) that vouches for when documents were sealed; without one seals carry no time that others vouch for',
    '',
    readAddress,
  ),
} as const;
