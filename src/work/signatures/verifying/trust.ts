import { X509Certificate } from 'node:crypto';

const longest = 8;
const timestamps = '1.3.6.1.5.5.7.3.8';
/** The accepted extended key usages of a certificate: email, documents (RFC 9336 and two vendors), timestamps or any use. */
const uses = ['1.3.6.1.5.5.7.3.4', '1.3.6.1.5.5.7.3.36', '1.3.6.1.4.1.311.10.3.12', '1.2.840.113583.1.1.5', timestamps, '2.5.29.37.0'];

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Returns the certificates of a PEM file. Throws if one is malformed. */
export function readCertificates(pem: string): X509Certificate[] {
  return [...pem.matchAll(certificates)].map(([one]) => new X509Certificate(one));
}

/** Whether a certificate may sign documents: it has no extended key usage, or one of `uses`. */
export function serves(certificate: X509Certificate): boolean {
  const { keyUsage } = certificate as { keyUsage?: string[] };
  return keyUsage === undefined || keyUsage.some((use) => uses.includes(use));
}

/**
 * Whether a certificate may issue timestamps (RFC 3161, 2.3). Without this check, the holder of an email certificate from the same authority could
 * give a signature a time before the revocation of that certificate.
 */
const stamps = ({ keyUsage = [] }: { keyUsage?: string[] }): boolean => keyUsage.includes(timestamps);

/** Whether a certificate chains to a trusted certificate, and whether each certificate of the chain is valid now. */
export function judge(
  leaf: X509Certificate,
  {
    others,
    trusted,
    now,
    timestamp = false,
  }: { others: readonly X509Certificate[]; trusted: readonly X509Certificate[]; now: number; timestamp?: boolean },
): 'trusted' | 'expired' | 'untrusted' {
  if (!(timestamp ? stamps(leaf) : serves(leaf))) return 'untrusted';
  let late = false;
  let certificate = leaf;
  for (let step = 0; step < longest; step += 1) {
    const { validFromDate: from, validToDate: to } = certificate;
    late ||= now < from.getTime() || now > to.getTime();
    const { raw } = certificate;
    if (trusted.some((one) => one.raw.equals(raw))) return late ? 'expired' : 'trusted';
    const next = issuerOf(certificate, [...trusted, ...others]);
    if (!next) return 'untrusted';
    certificate = next;
  }
  return 'untrusted';
}

function issuerOf(certificate: X509Certificate, candidates: readonly X509Certificate[]): X509Certificate | undefined {
  return candidates.find(
    (one) => one.ca && one.subject !== certificate.subject && certificate.checkIssued(one) && certificate.verify(one.publicKey),
  );
}
