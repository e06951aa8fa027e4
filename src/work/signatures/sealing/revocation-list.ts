import { X509Certificate } from 'node:crypto';
import { Certificate, CertificateRevocationList } from 'pkijs';
import { readDer } from '../../../platform/crypto/asn1.ts';
import { isSignedBy } from '../verifying/algorithms.ts';

/** Thrown for a certificate that its issuer has revoked. */
export class TakenBack extends Error {
  constructor() {
    super('The issuer revoked a certificate.');
    this.name = 'TakenBack';
  }
}

/** Maximum number of ASN.1 elements in a revocation list. A list of 1 MiB, the maximum download size, has up to 350 000. */
const maxNodes = 400_000;

/** State of a certificate in a revocation list. `unfit`: the list has expired, or another authority issued it. */
export type ListState = 'good' | 'revoked' | 'unfit';

/** Checks a certificate against a revocation list. All inputs are DER. Throws if one of them is malformed. */
export function checkList(list: Uint8Array, { certificate, issuer }: Record<'certificate' | 'issuer', Uint8Array>, now: Date): ListState {
  const read = readDer(CertificateRevocationList, list, maxNodes);
  const { tbsView: bytes, signatureAlgorithm: algorithm, signatureValue, nextUpdate } = read;
  const about = readDer(Certificate, certificate);
  const signed = { bytes, algorithm, signature: signatureValue.valueBlock.valueHexView };
  if (!read.issuer.isEqual(about.issuer) || !isSignedBy([new X509Certificate(issuer)], signed)) return 'unfit';
  if (!nextUpdate || nextUpdate.value < now) return 'unfit';
  return read.isCertificateRevoked(about) ? 'revoked' : 'good';
}
