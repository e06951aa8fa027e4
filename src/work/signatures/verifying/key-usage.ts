import type { X509Certificate } from 'node:crypto';
import type { BitString } from 'asn1js';
import { Certificate, id_KeyUsage } from 'pkijs';
import { readBer } from '../../../platform/crypto/asn1.ts';

/** The bits of `digitalSignature` and `nonRepudiation` in the first byte of a key usage. */
const signatureBits = 0b1100_0000;

/** Whether a certificate has no key usage, or one that allows signatures (RFC 5280, 4.2.1.3). */
export function allowsSignatures({ raw }: X509Certificate): boolean {
  const usage = readBer(Certificate, raw).extensions?.find(({ extnID }) => extnID === id_KeyUsage)?.parsedValue as BitString | undefined;
  return usage === undefined || ((usage.valueBlock.valueHexView[0] ?? 0) & signatureBits) !== 0;
}
