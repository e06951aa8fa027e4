import { readFileSync } from 'node:fs';
import { setting } from '../platform/settings.ts';
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

/** The settings of this domain. */
export const signatureSettings = {
  VERIFY_TRUST: setting(
    'PEM file of the certificates, of authorities or signers, whose signatures in PDFs are told to be valid; others are unknown',
    '',
    readTrusted,
  ),
} as const;
