import { X509Certificate } from 'node:crypto';

/** A certificate of a provider: DER, its SHA-256 fingerprint and its end. */
export type ProviderCertificate = { der: Buffer; fingerprint: Buffer; endsAt: Date };

export const maxCertificates = 5;
const maxBytes = 8 * 1024;

/** Encodes a certificate (DER in base64) as PEM. */
export const pemOf = (base64: string): string => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;

/** Reads a certificate, as PEM or as DER in base64. Returns a reason if it cannot verify responses. An ended certificate is accepted, because providers often renew it late. */
export function readCertificate(text: string): ProviderCertificate | { reason: string } {
  const base64 = text.replaceAll(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replaceAll(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length > maxBytes) return { reason: 'is not one certificate in PEM or base64' };
  const der = Buffer.from(base64, 'base64');
  try {
    const certificate = new X509Certificate(der);
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = certificate.publicKey;
    if (type !== 'rsa' || (details?.modulusLength ?? 0) < 2048) return { reason: 'must have an RSA key of at least 2048 bits' };
    return { der, fingerprint: Buffer.from(certificate.fingerprint256.replaceAll(':', ''), 'hex'), endsAt: new Date(certificate.validTo) };
  } catch {
    return { reason: 'is not a valid certificate' };
  }
}
