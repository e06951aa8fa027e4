import { constants, createHash, verify, X509Certificate } from 'node:crypto';
import {
  type AsnType,
  type BaseBlock,
  Constructed,
  fromBER,
  Integer,
  ObjectIdentifier,
  OctetString,
  Sequence,
  Set as AsnSet,
} from 'asn1js';

/** What a signed message (CMS, RFC 5652) says once it is checked. */
export type Checked = {
  /** Whether it is about these bytes. */
  about: boolean;
  /** Whether the certificate's key made it. */
  sound: boolean;
  weak: boolean;
  certificate: X509Certificate;
  others: X509Certificate[];
  timestamp: boolean;
  /** By a timestamp authority, or as the signer says. */
  time?: Date;
  /** A timestamp of the signature, by an authority that vouches for when it was there. */
  stamp?: Checked;
};

/** A message that is none, or of a kind that is not known here. */
export class NotUnderstood extends Error {}

const oid = {
  signedData: '1.2.840.113549.1.7.2',
  data: '1.2.840.113549.1.7.1',
  timestampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  signatureTimestamp: '1.2.840.113549.1.9.16.2.14',
  pss: '1.2.840.113549.1.1.10',
};
const digests: Readonly<Record<string, string>> = {
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};
/** How the kinds of signatures are checked; `''` is the digest that the signer names. */
const algorithms: Readonly<Record<string, { key: string[]; digest: string | null }>> = {
  '1.2.840.113549.1.1.1': { key: ['rsa'], digest: '' },
  '1.2.840.113549.1.1.5': { key: ['rsa'], digest: 'sha1' },
  '1.2.840.113549.1.1.11': { key: ['rsa'], digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: ['rsa'], digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: ['rsa'], digest: 'sha512' },
  [oid.pss]: { key: ['rsa', 'rsa-pss'], digest: '' },
  '1.2.840.10045.2.1': { key: ['ec'], digest: '' },
  '1.2.840.10045.4.1': { key: ['ec'], digest: 'sha1' },
  '1.2.840.10045.4.3.2': { key: ['ec'], digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: ['ec'], digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: ['ec'], digest: 'sha512' },
  '1.3.101.112': { key: ['ed25519'], digest: null },
};
const mostCertificates = 30;
/** Bits of an RSA key; fewer can be broken. */
const leastBits = 2048;

/** Checks a message against the bytes that it should be about. Throws {@link NotUnderstood}. */
export function checkMessage(message: Buffer, signed: readonly Buffer[]): Checked {
  const info = childrenOf(parsed(message));
  if (oidOf(info[0]) !== oid.signedData) throw new NotUnderstood('no signed data');
  const [, , content, ...rest] = childrenOf(only(childrenOf(info[1])));
  const [type, wrapped] = childrenOf(content);
  const timestamp = oidOf(type) === oid.timestampInfo;
  if (!timestamp && (oidOf(type) !== oid.data || wrapped !== undefined)) throw new NotUnderstood('not a detached message');
  const certificates = rest
    .filter((part) => tagOf(part) === 0)
    .flatMap(childrenOf)
    .slice(0, mostCertificates)
    .flatMap(certificateOf);
  const signers = rest.find((part) => part instanceof AsnSet);
  // A PDF's message has one signer (ISO 32000-2, 12.8.3.3.1).
  const signer = childrenOf(only(childrenOf(signers)));
  const { certificate, parts } = findCertificate(signer, certificates);
  const digest = digestOf(signer[2]);
  const own = { certificate, others: parts, timestamp };
  // Without attributes the signature is about the bytes themselves (RFC 5652, 5.4).
  if (tagOf(signer[3]) !== 0) {
    if (timestamp) throw new NotUnderstood('a timestamp without attributes');
    return { ...own, ...checkSignature(signer.slice(3), digest, { certificate, bytes: Buffer.concat(signed) }), about: true };
  }
  const attributes = new Map(
    childrenOf(signer[3]).map((attribute) => [oidOf(childrenOf(attribute)[0]), childrenOf(childrenOf(attribute)[1])]),
  );
  const attribute = (name: string) => attributes.get(name);
  // Signed as a set, whatever its tag in the message.
  const bytes = rawOf(signer[3]);
  bytes[0] = 0x31;
  const { sound, weak } = checkSignature(signer.slice(4), digest, { certificate, bytes });
  const packed = timestamp ? octets(only(childrenOf(wrapped))) : undefined;
  const stamped = packed && timestampOf(packed);
  const named = certificateHash(attribute(oid.signingCertificateV2));
  const stamp = timestamp ? undefined : signatureTimestamp(signer);
  const time = stamped ? stamped.time : timeOf(attribute(oid.signingTime)?.[0]);
  return {
    ...own,
    about:
      oidOf(only(attribute(oid.contentType) ?? [])) === oidOf(type) &&
      hash(digest, packed === undefined ? signed : [packed]).equals(octets(only(attribute(oid.messageDigest) ?? []))) &&
      (stamped === undefined || hash(stamped.digest, signed).equals(stamped.imprint)),
    // The certificate that it names within what is signed is this one: no other of the same key is put in its place.
    sound: sound && (named === undefined || hash(named.digest, [certificate.raw]).equals(named.hash)),
    weak: weak || stamped?.digest === 'sha1' || named?.digest === 'sha1',
    ...(time === undefined ? {} : { time }),
    ...(stamp === undefined ? {} : { stamp }),
  };
}

/** The timestamp that stands beside what the signer has signed, of the signature itself (RFC 5126, 6.1.1). */
function signatureTimestamp(signer: AsnType[]): Checked | undefined {
  const [, , , , , signature, beside] = signer;
  if (tagOf(beside) !== 1) return undefined;
  const own = childrenOf(beside)
    .map(childrenOf)
    .find(([name]) => oidOf(name) === oid.signatureTimestamp);
  if (!own) return undefined;
  const stamp = checkMessage(rawOf(only(childrenOf(own[1]))), [octets(signature)]);
  if (!stamp.timestamp) throw new NotUnderstood('something else in place of a timestamp');
  return stamp;
}

/** Checks a signature over bytes, by the kind that the signer says it is of. */
function checkSignature(
  [method, signature]: AsnType[],
  named: string,
  { certificate: { publicKey }, bytes }: { certificate: X509Certificate; bytes: Buffer },
): { sound: boolean; weak: boolean } {
  const [kind, parameters] = childrenOf(method);
  const algorithm = algorithms[oidOf(kind)];
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details } = publicKey;
  if (!algorithm?.key.includes(type)) throw new NotUnderstood('another kind of signature');
  const pss = oidOf(kind) === oid.pss;
  const usual = algorithm.digest === '' ? named : algorithm.digest;
  const digest = pss ? pssDigest(parameters) : usual;
  const padding = pss ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO } : {};
  return {
    sound: verify(digest, bytes, { key: publicKey, ...padding }, octets(signature)),
    weak: named === 'sha1' || digest === 'sha1' || (details?.modulusLength ?? leastBits) < leastBits,
  };
}

function pssDigest(parameters: AsnType | undefined): string {
  const given = childrenOf(parameters).find((part) => tagOf(part) === 0);
  return given === undefined ? 'sha1' : digestOf(only(childrenOf(given)));
}

/** The certificate that the signer says is theirs, by its issuer and number or by the identifier of its key, and the others. */
function findCertificate(signer: AsnType[], certificates: X509Certificate[]): { certificate: X509Certificate; parts: X509Certificate[] } {
  const certificate = certificates.find((one) => isOf(signer[1], one));
  if (!certificate || !(signer[0] instanceof Integer)) throw new NotUnderstood('the certificate of the signer is missing');
  return { certificate, parts: certificates.filter((one) => one !== certificate) };
}

function isOf(said: AsnType | undefined, certificate: X509Certificate): boolean {
  const fields = childrenOf(childrenOf(parsed(certificate.raw))[0]);
  const [number, , issuer] = tagOf(fields[0]) === 0 ? fields.slice(1) : fields;
  if (tagOf(said) === 0) return keyIdentifier(fields)?.equals(octetsOf(said)) ?? false;
  const [sayIssuer, sayNumber] = childrenOf(said);
  return rawOf(sayIssuer).equals(rawOf(issuer)) && rawOf(sayNumber).equals(rawOf(number));
}

function keyIdentifier(fields: AsnType[]): Buffer | undefined {
  const extensions = fields.find((field) => tagOf(field) === 3);
  if (!extensions) return undefined;
  const own = childrenOf(only(childrenOf(extensions)))
    .map(childrenOf)
    .find(([name]) => oidOf(name) === '2.5.29.14');
  const value = own?.at(-1);
  return value === undefined ? undefined : octets(parsed(octets(value)));
}

function certificateOf(part: AsnType): X509Certificate[] {
  try {
    return part instanceof Sequence ? [new X509Certificate(rawOf(part))] : [];
  } catch {
    // One that is broken is nobody's.
    return [];
  }
}

/** What an attribute says of its certificate (RFC 5035): the first is the signer's; SHA-256 where nothing else is named. */
function certificateHash(values: AsnType[] | undefined): { digest: string; hash: Buffer } | undefined {
  if (values === undefined) return undefined;
  const [first] = childrenOf(childrenOf(only(values))[0]);
  const parts = childrenOf(first);
  return parts[0] instanceof Sequence
    ? { digest: digestOf(parts[0]), hash: octets(parts[1]) }
    : { digest: 'sha256', hash: octets(parts[0]) };
}

function timestampOf(info: Buffer): { digest: string; imprint: Buffer; time: Date } {
  const fields = childrenOf(parsed(info));
  const [algorithm, imprint] = childrenOf(fields[2]);
  const time = timeOf(fields[4]);
  if (!time) throw new NotUnderstood('a timestamp without its time');
  return { digest: digestOf(algorithm), imprint: octets(imprint), time };
}

function timeOf(part: AsnType | undefined): Date | undefined {
  const time = part && 'toDate' in part ? part.toDate() : undefined;
  return time && !Number.isNaN(time.getTime()) ? time : undefined;
}

function hash(digest: string, parts: readonly Buffer[]): Buffer {
  const sum = createHash(digest);
  for (const part of parts) sum.update(part);
  return sum.digest();
}

function parsed(bytes: Buffer): AsnType {
  const { offset, result } = fromBER(new Uint8Array(bytes));
  if (offset === -1) throw new NotUnderstood('not ASN.1');
  return result;
}

function digestOf(algorithm: AsnType | undefined): string {
  const digest = digests[oidOf(childrenOf(algorithm)[0])];
  if (digest === undefined) throw new NotUnderstood('another kind of digest');
  return digest;
}

function childrenOf(part: AsnType | undefined): AsnType[] {
  return part instanceof Constructed || part instanceof Sequence || part instanceof AsnSet ? part.valueBlock.value : [];
}

function only(parts: readonly AsnType[]): AsnType {
  const [part] = parts;
  if (part === undefined || parts.length > 1) throw new NotUnderstood('not one thing where there is one');
  return part;
}

function oidOf(part: AsnType | undefined): string {
  return part instanceof ObjectIdentifier ? part.valueBlock.toString() : '';
}

/** The number of a part that its place gives a meaning; none for others. */
function tagOf(part: AsnType | undefined): number {
  return part?.idBlock.tagClass === 3 ? part.idBlock.tagNumber : -1;
}

function octets(part: AsnType | undefined): Buffer {
  if (!(part instanceof OctetString)) throw new NotUnderstood('no bytes where they belong');
  return Buffer.from(part.getValue());
}

/** The bytes of a simple part that is tagged by its place. */
function octetsOf(part: AsnType | undefined): Buffer {
  const { valueHexView } = (part as BaseBlock & { valueBlock: { valueHexView?: Uint8Array } }).valueBlock;
  return Buffer.from(valueHexView ?? []);
}

function rawOf(part: AsnType | undefined): Buffer {
  return Buffer.from(part?.valueBeforeDecodeView ?? []);
}
