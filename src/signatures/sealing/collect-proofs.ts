import { verify, X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { partsOf, type Part } from '../../platform/crypto/der.ts';
import { checkMessage } from '../verifying/index.ts';
import { askResponder, responderOf } from './ocsp.ts';
import type { Proof, Proofs } from './proofs.ts';
import { digestOf, TakenBack, timeOf } from './signed-parts.ts';
import type { Ask } from './timestamps.ts';

const listPlaces = Buffer.from('0603551d1f', 'hex');
const longest = 6;

/** Answers of responders are asked for again after so long: many files are sealed by one certificate. */
const answeredFor = { max: 100, ttl: 600_000 };

/**
 * Collects of each certificate of the signer and of the timestamp the answer of its responder (OCSP) or its revocation list, from where it
 * says, and the issuers that are missing. `own` are lists that this service publishes itself. Answers nothing where a certificate names no
 * place; throws where one is away or does not hold.
 */
export function proofsFrom(ask: Ask, own: () => Promise<Uint8Array[]>, now: () => Date): Proofs {
  const answers = new LRUCache<string, Buffer>(answeredFor);
  return async (chain, timestamp) => {
    const stamp = checkMessage(Buffer.from(timestamp), []);
    const known = [...chain.map((one) => new X509Certificate(one)), stamp.certificate, ...stamp.others];
    const [signer] = known;
    const proof: Proof = { certificates: [], lists: [], answers: [] };
    const at = { ask, own: await own(), now: now(), known, answers };
    for (const leaf of [signer!, stamp.certificate]) if (!(await follow(leaf, at, proof))) return undefined;
    return proof;
  };
}

type At = { ask: Ask; own: Uint8Array[]; now: Date; known: X509Certificate[]; answers: LRUCache<string, Buffer> };

/** Goes from a certificate up to one that is its own issuer, and keeps each with its list. */
async function follow(leaf: X509Certificate, at: At, proof: Proof): Promise<boolean> {
  let certificate = leaf;
  for (let step = 0; step < longest; step += 1) {
    addOnce(proof.certificates, certificate.raw);
    if (certificate.subject === certificate.issuer) return true;
    const issuer = await issuerOf(certificate, at);
    if (!issuer || !(await keepState(certificate, issuer, at, proof))) return false;
    certificate = issuer;
  }
  return false;
}

function addOnce(kept: Uint8Array[], one: Buffer): void {
  if (!kept.some((other) => one.equals(other))) kept.push(one);
}

async function issuerOf(certificate: X509Certificate, { known, ask }: At): Promise<X509Certificate | undefined> {
  const issued = (one: X509Certificate) => certificate.checkIssued(one) && certificate.verify(one.publicKey);
  const found = known.find(issued);
  if (found) return found;
  const place = /CA Issuers - URI:(http:\/\/\S+)/.exec(certificate.infoAccess ?? '')?.[1];
  if (place === undefined) return undefined;
  const fetched = new X509Certificate(await fetched200(ask, place));
  return issued(fetched) ? fetched : undefined;
}

/** Keeps what says that a certificate is good: a list of ours, else the answer of its responder, else the list that it names. */
async function keepState(certificate: X509Certificate, issuer: X509Certificate, at: At, proof: Proof): Promise<boolean> {
  const ours = at.own.map((list) => Buffer.from(list)).find((list) => holds(list, issuer, certificate, at.now));
  if (ours) {
    addOnce(proof.lists, ours);
    return true;
  }
  const answer = await answerOn(certificate, issuer, at);
  if (answer) addOnce(proof.answers, answer);
  const list = answer === undefined ? await listOf(certificate, issuer, at) : undefined;
  if (list) addOnce(proof.lists, list);
  return answer !== undefined || list !== undefined;
}

/** The answer of a certificate's responder. Where it is away or does not hold, the list that the certificate names is asked for instead. */
async function answerOn(certificate: X509Certificate, issuer: X509Certificate, { ask, now, answers }: At): Promise<Buffer | undefined> {
  const place = responderOf(certificate);
  if (place === undefined) return undefined;
  const kept = answers.get(certificate.fingerprint256);
  if (kept) return kept;
  try {
    const answer = await askResponder(place, { certificate, issuer }, ask, now);
    answers.set(certificate.fingerprint256, answer);
    return answer;
  } catch (error) {
    if (error instanceof TakenBack || placesOf(certificate).length === 0) throw error;
    return undefined;
  }
}

async function listOf(certificate: X509Certificate, issuer: X509Certificate, { ask, now }: At): Promise<Buffer | undefined> {
  const place = placesOf(certificate).find((one) => one.startsWith('http://'));
  if (place === undefined) return undefined;
  const list = await fetched200(ask, place);
  if (!holds(list, issuer, certificate, now)) throw new Error('the revocation list of a certificate is not its issuer’s, or has ended');
  return list;
}

async function fetched200(ask: Ask, place: string): Promise<Buffer> {
  const response = await ask(place, {});
  if (response.status !== 200) throw new Error(`what belongs to a certificate was not found (${response.status})`);
  return Buffer.from(await response.arrayBuffer());
}

/** Where a certificate says that its revocation list is (RFC 5280, 4.2.1.13). */
function placesOf(certificate: X509Certificate): string[] {
  const at = certificate.raw.indexOf(listPlaces);
  if (at === -1) return [];
  const [value] = partsOf(
    certificate.raw.subarray(at + listPlaces.length, at + listPlaces.length + lengthAt(certificate.raw, at + listPlaces.length)),
  );
  return value ? names(partsOf(value.content)) : [];
}

function lengthAt(bytes: Buffer, at: number): number {
  const short = bytes[at + 1]!;
  return short < 0x80 ? short + 2 : 2 + (short & 0x7f) + bytes.readUIntBE(at + 2, short & 0x7f);
}

/** Every address among parts within one another. */
function names(parts: Part[]): string[] {
  return parts.flatMap(({ tag, content }) =>
    tag === 0x86 ? [content.toString('latin1')] : (tag & 0x20) === 0 ? [] : names(partsOf(content)),
  );
}

/** Whether a list is the issuer's, is good now, and does not name the certificate. Throws where it does. */
function holds(list: Buffer, issuer: X509Certificate, certificate: X509Certificate, now: Date): boolean {
  const [listed, method, signature] = partsOf(partsOf(list)[0]!.content);
  const digest = digestOf(method!);
  if (digest === undefined || !verify(digest, listed!.raw, issuer.publicKey, signature!.content.subarray(1))) return false;
  const fields = partsOf(listed!.content);
  const times = fields.filter(({ tag }) => tag === 0x17 || tag === 0x18).map(timeOf);
  if (times.length !== 2 || times[1]! < now) return false;
  const serial = Buffer.from(
    certificate.serialNumber.padStart(certificate.serialNumber.length + (certificate.serialNumber.length % 2), '0'),
    'hex',
  );
  const revoked = fields.slice(4).find(({ tag, content }) => tag === 0x30 && partsOf(content)[0]?.tag === 0x30);
  const named = partsOf(revoked?.content ?? Buffer.alloc(0)).some(({ content }) => {
    const number = partsOf(content)[0]!.content;
    return (number[0] === 0 ? number.subarray(1) : number).equals(serial);
  });
  if (named) throw new TakenBack();
  return true;
}
