import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  bits,
  identifier,
  integer,
  named,
  octets,
  partsOf,
  placed,
  sequence,
  setOf,
  text,
  time,
  truth,
} from '../../platform/crypto/der.ts';

/** A certificate (DER) and the key that it is for. */
export type Certified = { certificate: Buffer; key: KeyObject };
/** Where an authority publishes what its certificates name: itself and its revocation list. */
export type Places = { authority: string; revocations: string };

const ecdsaWithSha256 = sequence(identifier('1.2.840.10045.4.3.2'));
const ids = {
  commonName: '2.5.4.3',
  subjectKey: '2.5.29.14',
  keyUsage: '2.5.29.15',
  constraints: '2.5.29.19',
  listNumber: '2.5.29.20',
  listPlaces: '2.5.29.31',
  authorityKey: '2.5.29.35',
  extendedUsage: '2.5.29.37',
  information: '1.3.6.1.5.5.7.1.1',
  caIssuers: '1.3.6.1.5.5.7.48.2',
  emailProtection: '1.3.6.1.5.5.7.3.4',
  documentSigning: '1.3.6.1.5.5.7.3.36',
};
const day = 86_400_000;
const authorityDays = 7_305;
/** Two years, as decided: short enough that an old key is worth little, long enough that nobody forgets how it is renewed. */
export const sealDays = 730;
/** Clocks of readers may be behind. */
const leewayMs = 5 * 60_000;

/** A new authority that issues seals and nothing else, signed by itself. */
export function makeAuthority(name: string, now: Date): Certified {
  const { publicKey, privateKey } = newKey();
  const subject = nameOf(`${name} Seal Authority`);
  const identifierOfKey = hashOfKey(publicKey);
  const extensions = [
    extension(ids.constraints, sequence(truth(), integer(0)), true),
    // Signs certificates and revocation lists: bits 5 and 6.
    extension(ids.keyUsage, bits(Buffer.from([0b0000_0110]), 1), true),
    extension(ids.subjectKey, octets(identifierOfKey)),
  ];
  const certificate = issue({ issuer: subject, subject, publicKey, from: now, days: authorityDays, extensions }, privateKey);
  return { certificate, key: privateKey };
}

/** A new key for seals, certified by an authority. */
export function makeSeal(name: string, authority: Certified, { now, places }: { now: Date; places: Places }): Certified {
  const { publicKey, privateKey } = newKey();
  const { subject, key } = partsOfCertificate(authority.certificate);
  const extensions = [
    extension(ids.constraints, sequence(), true),
    // Signs and stands by it: bits 0 and 1.
    extension(ids.keyUsage, bits(Buffer.from([0b1100_0000]), 6), true),
    // Some readers know no signing of documents, and take a certificate for e-mail.
    extension(ids.extendedUsage, sequence(identifier(ids.documentSigning), identifier(ids.emailProtection))),
    extension(ids.subjectKey, octets(hashOfKey(publicKey))),
    extension(ids.authorityKey, sequence(named(0, key))),
    extension(ids.listPlaces, sequence(sequence(placed(0, placed(0, named(6, Buffer.from(places.revocations))))))),
    extension(ids.information, sequence(sequence(identifier(ids.caIssuers), named(6, Buffer.from(places.authority))))),
  ];
  const certificate = issue({ issuer: subject, subject: nameOf(name), publicKey, from: now, days: sealDays, extensions }, authority.key);
  return { certificate, key: privateKey };
}

/** A revocation list (RFC 5280, 5): the certificates that are taken back, and since when. */
export function makeRevocationList(
  authority: Certified,
  { number, now, until, revoked }: { number: number; now: Date; until: Date; revoked: readonly { certificate: Buffer; at: Date }[] },
): Buffer {
  const { subject, key } = partsOfCertificate(authority.certificate);
  const entries = revoked.map(({ certificate, at }) => sequence(partsOfCertificate(certificate).serial, time(at)));
  const listed = sequence(
    integer(1),
    ecdsaWithSha256,
    subject,
    time(now),
    time(until),
    ...(entries.length > 0 ? [sequence(...entries)] : []),
    placed(0, sequence(extension(ids.authorityKey, sequence(named(0, key))), extension(ids.listNumber, integer(number)))),
  );
  return signed(listed, authority.key);
}

type Issued = { issuer: Buffer; subject: Buffer; publicKey: KeyObject; from: Date; days: number; extensions: Buffer[] };

function issue({ issuer, subject, publicKey, from, days, extensions }: Issued, key: KeyObject): Buffer {
  const starts = from.getTime() - leewayMs;
  const certified = sequence(
    placed(0, integer(2)),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ecdsaWithSha256,
    issuer,
    sequence(time(new Date(starts)), time(new Date(starts + days * day))),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    placed(3, sequence(...extensions)),
  );
  return signed(certified, key);
}

function signed(content: Buffer, key: KeyObject): Buffer {
  return sequence(content, ecdsaWithSha256, bits(sign('sha256', content, key)));
}

function newKey(): { publicKey: KeyObject; privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

const nameOf = (common: string) => sequence(setOf(sequence(identifier(ids.commonName), text(common))));

function extension(name: string, value: Buffer, critical = false): Buffer {
  return sequence(identifier(name), ...(critical ? [truth()] : []), octets(value));
}

/** Of the bits of the key alone, as RFC 5280 proposes. */
function hashOfKey(key: KeyObject): Buffer {
  const [, point] = partsOf(partsOf(key.export({ type: 'spki', format: 'der' }))[0]!.content);
  return createHash('sha1').update(point!.content.subarray(1)).digest();
}

/** Its number, its subject and the hash of its key. */
function partsOfCertificate(certificate: Buffer): { serial: Buffer; subject: Buffer; key: Buffer } {
  const [, serial, , , , subject, key] = partsOf(partsOf(partsOf(certificate)[0]!.content)[0]!.content);
  const [, point] = partsOf(key!.content);
  return { serial: serial!.raw, subject: subject!.raw, key: createHash('sha1').update(point!.content.subarray(1)).digest() };
}
