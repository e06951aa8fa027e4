import { createHash } from 'node:crypto';
import { identifier, integer, nothing, octets, partsOf, placed, sequence, setOf } from '../../platform/crypto/der.ts';
import type { SealSigner } from './port.ts';

const names = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
};
export const digestNames = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const;
const methods = {
  ecdsa: { sha256: '1.2.840.10045.4.3.2', sha384: '1.2.840.10045.4.3.3', sha512: '1.2.840.10045.4.3.4' },
  rsa: { sha256: '1.2.840.113549.1.1.11', sha384: '1.2.840.113549.1.1.12', sha512: '1.2.840.113549.1.1.13' },
} as const;

/** A signature over attributes that name the digest of what is signed. A timestamp of it can still be added. */
export type Signature = { signature: Uint8Array; message: (timestamp?: Uint8Array) => Buffer };

/**
 * Signs as PAdES baseline asks (ETSI EN 319 142-1): a detached message (RFC 5652) whose attributes are the kind of content, its digest and
 * the certificate, without a time that nobody vouches for.
 */
export async function signDetached(parts: readonly Uint8Array[], signer: SealSigner): Promise<Signature> {
  const { certificate, chain, algorithm, digest } = signer;
  const attributes = [
    attribute(names.contentType, identifier(names.data)),
    attribute(names.messageDigest, octets(hashOf(digest, parts))),
    attribute(names.signingCertificateV2, sequence(sequence(sequence(octets(hashOf('sha256', [certificate])))))),
  ];
  const signature = await signer.sign(setOf(...attributes));
  const digestMethod = sequence(identifier(digestNames[digest]));
  const method = algorithm === 'rsa' ? [nothing()] : [];
  return {
    signature,
    message: (timestamp) =>
      sequence(
        identifier(names.signedData),
        placed(
          0,
          sequence(
            integer(1),
            setOf(digestMethod),
            sequence(identifier(names.data)),
            within(0, setOf(certificate, ...chain)),
            setOf(
              sequence(
                integer(1),
                issuerAndNumber(certificate),
                digestMethod,
                within(0, setOf(...attributes)),
                sequence(identifier(methods[algorithm][digest]), ...method),
                octets(signature),
                ...(timestamp === undefined ? [] : [within(1, setOf(attribute(names.timestampToken, timestamp)))]),
              ),
            ),
          ),
        ),
      ),
  };
}

function attribute(name: string, value: Uint8Array): Buffer {
  return sequence(identifier(name), setOf(value));
}

/** A set whose tag says its place instead. */
function within(number: number, set: Buffer): Buffer {
  const bytes = Buffer.from(set);
  bytes[0] = 0xa0 | number;
  return bytes;
}

export function hashOf(digest: string, parts: readonly Uint8Array[]): Buffer {
  const sum = createHash(digest);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

function issuerAndNumber(certificate: Uint8Array): Buffer {
  const [whole] = partsOf(Buffer.from(certificate));
  const fields = partsOf(partsOf(whole!.content)[0]!.content);
  const [number, , issuer] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  if (!number || !issuer) throw new Error('the certificate has no number or no issuer');
  return sequence(issuer.raw, number.raw);
}
