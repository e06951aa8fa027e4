import { X509Certificate } from 'node:crypto';
import { Certificate, CertificateRevocationList } from 'pkijs';
import { readDer } from '../../../platform/crypto/asn1.ts';
import { isSignedBy } from '../verifying/algorithms.ts';

/** A certificate that its issuer has revoked. */
export class TakenBack extends Error {
  constructor() {
    super('a certificate was taken back by its issuer');
    this.name = 'TakenBack';
  }
}

/** A list of 1 MiB, which is the most that is fetched, has up to 350 000 elements. */
const maxNodes = 400_000;

/** What a list says of a certificate: `unfit` if it is not its issuer’s or is out of date. */
export type ListState = 'good' | 'revoked' | 'unfit';

/** Checks a revocation list (DER) for a certificate and its issuer (DER). Throws if one of them is broken. */
export function checkList(list: Uint8Array, { certificate, issuer }: Record<'certificate' | 'issuer', Uint8Array>, now: Date): ListState {
  const read = readDer(CertificateRevocationList, list, maxNodes);
  const { tbsView: bytes, signatureAlgorithm: algorithm, signatureValue, nextUpdate } = read;
  const about = readDer(Certificate, certificate);
  const signed = { bytes, algorithm, signature: signatureValue.valueBlock.valueHexView };
  if (!read.issuer.isEqual(about.issuer) || !isSignedBy([new X509Certificate(issuer)], signed)) return 'unfit';
  if (!nextUpdate || nextUpdate.value < now) return 'unfit';
  return read.isCertificateRevoked(about) ? 'revoked' : 'good';
}
