import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto';
import { BitString, Integer, OctetString, Utf8String } from 'asn1js';
import {
  AccessDescription,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CertificateRevocationList,
  CRLDistributionPoints,
  DistributionPoint,
  Extension,
  Extensions,
  ExtKeyUsage,
  GeneralName,
  id_ad_caIssuers,
  id_AuthorityInfoAccess,
  id_AuthorityKeyIdentifier,
  id_BasicConstraints,
  id_CRLDistributionPoints,
  id_CRLNumber,
  id_ExtKeyUsage,
  id_KeyUsage,
  id_SubjectKeyIdentifier,
  InfoAccess,
  RelativeDistinguishedNames,
  RevokedCertificate,
  Time,
  TimeType,
} from 'pkijs';
import { readDer, writeDer } from '../../../platform/crypto/asn1.ts';

/** A certificate (DER) with its key. */
export type Certified = { certificate: Buffer; key: KeyObject };
/** The addresses in certificates where the authority publishes its own certificate and its revocation list. */
export type Places = { authority: string; revocations: string };

const commonName = '2.5.4.3';
/** The purposes of seal certificates. Some readers do not support document signing (RFC 9336) and accept only certificates for email. */
const purposes = ['1.3.6.1.5.5.7.3.36', '1.3.6.1.5.5.7.3.4'];
const uri = 6;
const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const digest = 'SHA-256';
const day = 86_400_000;
const authorityDays = 7_305;
const selfSignedDays = 3_652;
/** The validity of a seal certificate in days: short enough to limit the use of an old key, and long enough to keep renewals rare. */
export const sealDays = 730;
/** Allowance for readers whose clocks are slow. */
const leewayMs = 5 * 60_000;

/** Creates a self-signed authority that issues only seal certificates. */
export async function makeAuthority(name: string, now: Date): Promise<Certified> {
  const keys = await newKeys();
  const certificate = await draft(`${name} Seal Authority`, keys, { from: now, days: authorityDays });
  certificate.issuer = certificate.subject;
  certificate.extensions = [
    extension(id_BasicConstraints, new BasicConstraints({ cA: true, pathLenConstraint: 0 }), true),
    // keyCertSign and cRLSign: bits 5 and 6.
    extension(id_KeyUsage, bits(0b0000_0110, 1), true),
    extension(id_SubjectKeyIdentifier, octets(await certificate.getKeyHash())),
  ];
  return signed(certificate, keys.privateKey, keys.privateKey);
}

/** Creates a key for seals with a certificate of the authority. */
export async function makeSeal(name: string, authority: Certified, { now, places }: { now: Date; places: Places }): Promise<Certified> {
  const keys = await newKeys();
  const certificate = await draft(name, keys, { from: now, days: sealDays });
  const issuer = readDer(Certificate, authority.certificate);
  const list = new DistributionPoint({ distributionPoint: [address(places.revocations)] });
  const issuers = new AccessDescription({ accessMethod: id_ad_caIssuers, accessLocation: address(places.authority) });
  certificate.issuer = issuer.subject;
  certificate.extensions = [
    extension(id_BasicConstraints, new BasicConstraints(), true),
    // digitalSignature and nonRepudiation: bits 0 and 1.
    extension(id_KeyUsage, bits(0b1100_0000, 6), true),
    extension(id_ExtKeyUsage, new ExtKeyUsage({ keyPurposes: purposes })),
    extension(id_SubjectKeyIdentifier, octets(await certificate.getKeyHash())),
    await authorityKey(issuer),
    extension(id_CRLDistributionPoints, new CRLDistributionPoints({ distributionPoints: [list] })),
    extension(id_AuthorityInfoAccess, new InfoAccess({ accessDescriptions: [issuers] })),
  ];
  return signed(certificate, keys.privateKey, signingKey(authority.key));
}

/**
 * Creates a self-signed certificate for a key that signs. It is valid for longer than the key signs, because its readers
 * trust the certificate itself.
 */
export async function makeSelfSigned(name: string, keys: Keys, now: Date): Promise<Buffer> {
  const certificate = await draft(name, keys, { from: now, days: selfSignedDays });
  certificate.issuer = certificate.subject;
  certificate.extensions = [
    extension(id_BasicConstraints, new BasicConstraints(), true),
    // digitalSignature: bit 0.
    extension(id_KeyUsage, bits(0b1000_0000, 7), true),
    extension(id_SubjectKeyIdentifier, octets(await certificate.getKeyHash())),
  ];
  await certificate.sign(keys.privateKey, digest);
  return writeDer(certificate);
}

/** Creates a revocation list (RFC 5280, 5) with the revoked certificates and their times. */
export async function makeRevocationList(
  authority: Certified,
  { number, now, until, revoked }: { number: number; now: Date; until: Date; revoked: readonly { certificate: Buffer; at: Date }[] },
): Promise<Buffer> {
  const issuer = readDer(Certificate, authority.certificate);
  const entries = revoked.map(({ certificate, at }) => {
    const { serialNumber: userCertificate } = readDer(Certificate, certificate);
    return new RevokedCertificate({ userCertificate, revocationDate: timeOf(at) });
  });
  const list = new CertificateRevocationList({
    version: 1,
    issuer: issuer.subject,
    thisUpdate: timeOf(now),
    nextUpdate: timeOf(until),
    ...(entries.length > 0 ? { revokedCertificates: entries } : {}),
    crlExtensions: new Extensions({ extensions: [await authorityKey(issuer), extension(id_CRLNumber, new Integer({ value: number }))] }),
  });
  await list.sign(signingKey(authority.key), digest);
  return writeDer(list);
}

type Keys = { publicKey: CryptoKey; privateKey: CryptoKey };

async function newKeys(): Promise<Keys> {
  return crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
}

const signingKey = (key: KeyObject) => key.toCryptoKey(curve, false, ['sign']);

/** Creates a certificate of a new key, without issuer and extensions. */
async function draft(name: string, { publicKey }: Keys, { from, days }: { from: Date; days: number }): Promise<Certificate> {
  const starts = from.getTime() - leewayMs;
  const certificate = new Certificate({
    version: 2,
    // The first byte is 1, so that the number is positive and its length is fixed.
    serialNumber: new Integer({ valueHex: Buffer.concat([Buffer.from([1]), randomBytes(15)]) }),
    notBefore: timeOf(new Date(starts)),
    notAfter: timeOf(new Date(starts + days * day)),
    subject: new RelativeDistinguishedNames({
      typesAndValues: [new AttributeTypeAndValue({ type: commonName, value: new Utf8String({ value: name }) })],
    }),
  });
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  return certificate;
}

async function signed(certificate: Certificate, own: CryptoKey, issuer: CryptoKey): Promise<Certified> {
  await certificate.sign(issuer, digest);
  const key = createPrivateKey({ key: Buffer.from(await crypto.subtle.exportKey('pkcs8', own)), format: 'der', type: 'pkcs8' });
  return { certificate: writeDer(certificate), key };
}

/** Encodes the time of a certificate in whole seconds (RFC 5280, 4.1.2.5): with a two-digit year until 2049. */
function timeOf(at: Date): Time {
  return new Time({
    type: at.getUTCFullYear() < 2050 ? TimeType.UTCTime : TimeType.GeneralizedTime,
    value: new Date(Math.floor(at.getTime() / 1_000) * 1_000),
  });
}

async function authorityKey(issuer: Certificate): Promise<Extension> {
  return extension(id_AuthorityKeyIdentifier, new AuthorityKeyIdentifier({ keyIdentifier: octets(await issuer.getKeyHash()) }));
}

function extension(extnID: string, value: Parameters<typeof writeDer>[0], critical = false): Extension {
  return new Extension({ extnID, critical, extnValue: new Uint8Array(writeDer(value)).buffer });
}

const address = (value: string) => new GeneralName({ type: uri, value });
const octets = (valueHex: ArrayBuffer) => new OctetString({ valueHex });
const bits = (byte: number, unusedBits: number) => new BitString({ valueHex: new Uint8Array([byte]).buffer, unusedBits });
