import { type AsnType, Null, ObjectIdentifier, OctetString, Sequence, Set as AsnSet } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  id_ContentType_Data,
  id_ContentType_SignedData,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { inSetOrder, readDer, writeDer } from '../../../platform/crypto/asn1.ts';
import { hashOf } from '../hash.ts';
import { digestId, signatureId } from '../verifying/algorithms.ts';
import { attributeIds } from '../verifying/cms.ts';
import type { SealSigner } from './pdf-sealer.ts';

/** A signature of the signed attributes. `message` encodes it as a CMS message, with an optional timestamp. */
export type Signature = { signature: Uint8Array; message: (timestamp?: Uint8Array) => Buffer };

/**
 * Signs in the PAdES baseline format (ETSI EN 319 142-1): a detached message (RFC 5652). Its signed attributes are the content type, the digest and
 * the certificate. It omits the signing time, because no one could confirm it.
 */
export async function signDetached(parts: readonly Uint8Array[], signer: SealSigner): Promise<Signature> {
  const { algorithm, digest } = signer;
  const certificates = [signer.certificate, ...signer.chain].map((one) => readDer(Certificate, one));
  const [{ issuer, serialNumber } = new Certificate()] = certificates;
  const attributes = inSetOrder([
    attribute(attributeIds.contentType, new ObjectIdentifier({ value: id_ContentType_Data })),
    attribute(attributeIds.messageDigest, octets(hashOf(digest, parts))),
    attribute(attributeIds.signingCertificateV2, signingCertificate(signer.certificate)),
  ]);
  const signature = await signer.sign(writeDer(new AsnSet({ value: attributes.map((one) => one.toSchema()) })));
  const digestAlgorithm = new AlgorithmIdentifier({ algorithmId: digestId(digest) });
  const signerInfo = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm,
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
    signatureAlgorithm: new AlgorithmIdentifier({
      algorithmId: signatureId(algorithm === 'rsa' ? 'rsa' : 'ec', digest),
      ...(algorithm === 'rsa' ? { algorithmParams: new Null() } : {}),
    }),
    signature: octets(signature),
  });
  const data = new SignedData({
    version: 1,
    digestAlgorithms: [digestAlgorithm],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: id_ContentType_Data }),
    certificates: inSetOrder(certificates),
    signerInfos: [signerInfo],
  });
  return {
    signature,
    message(timestamp) {
      if (timestamp) {
        const beside = attribute(attributeIds.signatureTimestamp, readDer(ContentInfo, timestamp).toSchema());
        signerInfo.unsignedAttrs = new SignedAndUnsignedAttributes({ type: 1, attributes: [beside] });
      }
      return writeDer(new ContentInfo({ contentType: id_ContentType_SignedData, content: data.toSchema(true) }));
    },
  };
}

const octets = (bytes: Uint8Array) => new OctetString({ valueHex: new Uint8Array(bytes).buffer });

function attribute(type: string, value: AsnType): Attribute {
  return new Attribute({ type, values: [value] });
}

/** Returns the SHA-256 hash of the certificate as SigningCertificateV2 (RFC 5035, 3), for which pkijs has no class. */
function signingCertificate(certificate: Uint8Array): Sequence {
  const id = new Sequence({ value: [octets(hashOf('sha256', [certificate]))] });
  return new Sequence({ value: [new Sequence({ value: [id] })] });
}
