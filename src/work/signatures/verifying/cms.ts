import { X509Certificate } from 'node:crypto';
import { type AsnType, Constructed, ObjectIdentifier, OctetString, Sequence } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Attribute,
  Certificate,
  ContentInfo,
  id_ContentType_Data,
  id_ContentType_SignedData,
  id_eContentType_TSTInfo,
  id_SubjectKeyIdentifier,
  IssuerAndSerialNumber,
  SignedData,
  type SignerInfo,
  TSTInfo,
} from 'pkijs';
import { AsnError, read, readBer, readDer } from '../../../platform/crypto/asn1.ts';
import { hashOf } from '../hash.ts';
import { checkSignature, digestOf } from './algorithms.ts';

/** The result of checking a signed message (CMS, RFC 5652). */
export type Checked = {
  /** Whether the message signs the given bytes. */
  about: boolean;
  /** Whether the signature is correct for the key of the certificate. */
  sound: boolean;
  weak: boolean;
  certificate: X509Certificate;
  others: X509Certificate[];
  timestamp: boolean;
  /** The time of the signature. In a timestamp, it comes from the timestamp authority. Otherwise the signer claims it. */
  time?: Date;
  /** A timestamp of the signature. It proves when the signature existed. */
  stamp?: Checked;
};

/** Thrown for a message that is not CMS or has an unsupported form. */
export class NotUnderstood extends Error {}

/** OIDs of the attributes of signed messages (RFC 5652, 11; RFC 5035; RFC 5126). */
export const attributeIds = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
};
const maxCertificates = 30;

/** Checks a message against the bytes that it should sign. Throws {@link NotUnderstood}. */
export function checkMessage(message: Buffer, signed: readonly Buffer[]): Checked {
  try {
    return check(message, signed);
  } catch (error) {
    throw error instanceof AsnError ? new NotUnderstood(error.message) : error;
  }
}

function check(message: Buffer, signed: readonly Buffer[]): Checked {
  const { data, certificates } = signedDataOf(message);
  const { eContentType: type, eContent: content } = data.encapContentInfo;
  const timestamp = type === id_eContentType_TSTInfo;
  if (!timestamp && (type !== id_ContentType_Data || content)) throw new NotUnderstood('The message is not detached.');
  // A CMS message in a PDF has one signer (ISO 32000-2, 12.8.3.3.1).
  const signer = only(data.signerInfos);
  const certificate = certificates.find((one) => isOf(signer, one));
  if (!certificate) throw new NotUnderstood('The certificate of the signer is missing.');
  const own = { certificate, others: certificates.filter((one) => one !== certificate), timestamp };
  const digest = knownDigest(signer.digestAlgorithm);
  const checkOf = (bytes: Uint8Array) => {
    const by = { bytes, algorithm: signer.signatureAlgorithm, signature: octets(signer.signature) };
    const checked = checkSignature(certificate, by, digest);
    if (!checked) throw new NotUnderstood('The signature algorithm is not supported.');
    return checked;
  };
  // Without attributes the signature covers the bytes directly (RFC 5652, 5.4).
  if (!signer.signedAttrs) {
    if (timestamp) throw new NotUnderstood('The timestamp has no signed attributes.');
    return { ...own, ...checkOf(Buffer.concat(signed)), about: true };
  }
  const { attributes, encodedValue } = signer.signedAttrs;
  const { sound, weak } = checkOf(new Uint8Array(encodedValue));
  const packed = timestamp ? octets(content) : undefined;
  const stamped = packed && timestampOf(packed);
  const named = certificateHash(valueOf(attributes, attributeIds.signingCertificateV2));
  const stamp = timestamp ? undefined : signatureTimestamp(signer);
  const time = stamped ? stamped.time : timeOf(valueOf(attributes, attributeIds.signingTime));
  const said = valueOf(attributes, attributeIds.contentType);
  if (!(said instanceof ObjectIdentifier)) throw new NotUnderstood('The content type attribute is missing.');
  return {
    ...own,
    about:
      said.getValue() === type &&
      hashOf(digest, packed === undefined ? signed : [packed]).equals(octets(valueOf(attributes, attributeIds.messageDigest))) &&
      (stamped === undefined || hashOf(stamped.digest, signed).equals(stamped.imprint)),
    // The signed attribute must name this certificate. Otherwise another certificate of the same key could replace it.
    sound: sound && (named === undefined || hashOf(named.digest, [certificate.raw]).equals(named.hash)),
    weak: weak || stamped?.digest === 'sha1' || named?.digest === 'sha1',
    ...(time === undefined ? {} : { time }),
    ...(stamp === undefined ? {} : { stamp }),
  };
}

/** Returns the content of a timestamp token (RFC 3161, 2.4.2) without checking the token. */
export function timestampInfo(token: Uint8Array): TSTInfo {
  return readDer(TSTInfo, octets(signedDataOf(token).data.encapContentInfo.eContent));
}

function signedDataOf(message: Uint8Array): { data: SignedData; certificates: X509Certificate[] } {
  const { contentType, content } = readBer(ContentInfo, message);
  if (contentType !== id_ContentType_SignedData) throw new NotUnderstood('The message has no signed data.');
  const set = partsOf(content).find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  const certificates = partsOf(set).slice(0, maxCertificates).flatMap(certificateOf);
  return { data: read(SignedData, content), certificates };
}

/** Returns a certificate with its original bytes. pkijs would encode it again and could change its hash. */
function certificateOf(part: AsnType): X509Certificate[] {
  try {
    return part instanceof Sequence ? [new X509Certificate(part.valueBeforeDecodeView)] : [];
  } catch {
    // No signer can match a malformed certificate.
    return [];
  }
}

/** Returns the timestamp of the signature from the unsigned attributes (RFC 5126, 6.1.1). */
function signatureTimestamp({ unsignedAttrs, signature }: SignerInfo): Checked | undefined {
  const own = unsignedAttrs?.attributes.find(({ type }) => type === attributeIds.signatureTimestamp);
  if (!own) return undefined;
  const token: AsnType = only(own.values as AsnType[]);
  const stamp = check(Buffer.from(token.valueBeforeDecodeView), [octets(signature)]);
  if (!stamp.timestamp) throw new NotUnderstood('The signature timestamp attribute has no timestamp.');
  return stamp;
}

/** Whether the signer info identifies this certificate, by issuer and serial number or by key identifier. */
function isOf({ sid }: SignerInfo, { raw }: X509Certificate): boolean {
  const certificate = readBer(Certificate, raw);
  if (sid instanceof IssuerAndSerialNumber)
    // Compares the names byte for byte, because pkijs ignores case.
    return sid.issuer.isEqual(certificate.issuer.valueBeforeDecode) && sid.serialNumber.isEqual(certificate.serialNumber);
  const own = certificate.extensions?.find(({ extnID }) => extnID === id_SubjectKeyIdentifier)?.parsedValue;
  const said = (sid as { valueBlock: { valueHexView?: Uint8Array } }).valueBlock.valueHexView;
  return own instanceof OctetString && said !== undefined && octets(own).equals(said);
}

/** Returns the hash of the signer's certificate from the signed attribute (RFC 5035, 3). The digest defaults to SHA-256. */
function certificateHash(value: AsnType | undefined): { digest: string; hash: Buffer } | undefined {
  if (value === undefined) return undefined;
  const [first, second] = partsOf(partsOf(partsOf(value)[0])[0]);
  return first instanceof Sequence
    ? { digest: knownDigest(read(AlgorithmIdentifier, first)), hash: octets(second) }
    : { digest: 'sha256', hash: octets(first) };
}

function timestampOf(info: Buffer): { digest: string; imprint: Buffer; time: Date } {
  const { messageImprint, genTime: time } = readDer(TSTInfo, info);
  if (Number.isNaN(time.getTime())) throw new NotUnderstood('The timestamp has no time.');
  return { digest: knownDigest(messageImprint.hashAlgorithm), imprint: octets(messageImprint.hashedMessage), time };
}

function timeOf(part: AsnType | undefined): Date | undefined {
  const time = part && 'toDate' in part ? part.toDate() : undefined;
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
}

function knownDigest(algorithm: AlgorithmIdentifier): string {
  const digest = digestOf(algorithm);
  if (digest === undefined) throw new NotUnderstood('The digest algorithm is not supported.');
  return digest;
}

/** Returns the value of an attribute. Throws if the attribute occurs twice or has several values (RFC 5652, 11). */
function valueOf(attributes: readonly Attribute[], id: string): AsnType | undefined {
  const found = attributes.filter(({ type }) => type === id);
  return found.length === 0 ? undefined : only(only(found).values as AsnType[]);
}

function only<Part>(parts: readonly Part[]): Part {
  const [part] = parts;
  if (part === undefined || parts.length > 1) throw new NotUnderstood('A list must have exactly one element.');
  return part;
}

function partsOf(part: AsnType | undefined): AsnType[] {
  return part instanceof Constructed ? part.valueBlock.value : [];
}

function octets(part: AsnType | undefined): Buffer {
  if (!(part instanceof OctetString)) throw new NotUnderstood('An octet string is missing.');
  return Buffer.from(part.getValue());
}
