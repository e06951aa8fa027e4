import { X509Certificate } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  Certificate,
  CRLDistributionPoints,
  type GeneralName,
  id_ad_caIssuers,
  id_ad_ocsp,
  id_AuthorityInfoAccess,
  id_CRLDistributionPoints,
  InfoAccess,
} from 'pkijs';
import { readDer } from '../../../platform/crypto/asn1.ts';
import { checkMessage } from '../verifying/cms.ts';
import { askResponder } from './ocsp.ts';
import type { ValidationData, CollectValidationData } from './validation-data.ts';
import { checkList, type ListState, TakenBack } from './revocation-list.ts';
import type { Ask } from './timestamps.ts';
import { workOnFile } from './work.ts';

/** The `GeneralName` type of a URI (RFC 5280, 4.2.1.6). */
const uri = 6;
const longest = 6;

/** Cached OCSP responses and their expiry in milliseconds. They are cached because one certificate seals many files. */
const answeredFor = { max: 100, ttl: 600_000 };

/**
 * Collects revocation data for each certificate of the signer and the timestamp: an OCSP response or a revocation list. Also collects missing issuer
 * certificates. `own` returns the lists that this service publishes. Returns undefined if a certificate does not name a source. Throws if a source is
 * unavailable or its data is invalid.
 */
export function proofsFrom(ask: Ask, own: () => Promise<Uint8Array[]>, now: () => Date): CollectValidationData {
  const answers = new LRUCache<string, Buffer>(answeredFor);
  return async (chain, timestamp) => {
    const stamp = checkMessage(Buffer.from(timestamp), []);
    const known = [...chain.map((one) => new X509Certificate(one)), stamp.certificate, ...stamp.others];
    const [signer] = known;
    const proof: ValidationData = { certificates: [], lists: [], answers: [] };
    const at = { ask, own: await own(), now: now(), known, answers };
    for (const leaf of [signer!, stamp.certificate]) if (!(await follow(leaf, at, proof))) return undefined;
    return proof;
  };
}

type CollectContext = { ask: Ask; own: Uint8Array[]; now: Date; known: X509Certificate[]; answers: LRUCache<string, Buffer> };

/** Follows a certificate to its root and adds each certificate with its revocation data. */
async function follow(leaf: X509Certificate, at: CollectContext, proof: ValidationData): Promise<boolean> {
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

async function issuerOf(certificate: X509Certificate, { known, ask }: CollectContext): Promise<X509Certificate | undefined> {
  const issued = (one: X509Certificate) => certificate.checkIssued(one) && certificate.verify(one.publicKey);
  const found = known.find(issued);
  if (found) return found;
  const place = accessTo(certificate, id_ad_caIssuers);
  if (place === undefined) return undefined;
  const fetched = new X509Certificate(await fetched200(ask, place));
  return issued(fetched) ? fetched : undefined;
}

/** Adds proof that a certificate is not revoked. Sources in order: our own list, the OCSP response, the list that the certificate names. */
async function keepState(
  certificate: X509Certificate,
  issuer: X509Certificate,
  at: CollectContext,
  proof: ValidationData,
): Promise<boolean> {
  for (const ours of at.own.map((list) => Buffer.from(list)))
    if (isGood(checkList(ours, rawOf(certificate, issuer), at.now))) {
      addOnce(proof.lists, ours);
      return true;
    }
  const answer = await answerOn(certificate, issuer, at);
  if (answer) addOnce(proof.answers, answer);
  const list = answer === undefined ? await listOf(certificate, issuer, at) : undefined;
  if (list) addOnce(proof.lists, list);
  return answer !== undefined || list !== undefined;
}

const rawOf = (certificate: X509Certificate, issuer: X509Certificate) => ({ certificate: certificate.raw, issuer: issuer.raw });

function isGood(state: ListState): boolean {
  if (state === 'revoked') throw new TakenBack();
  return state === 'good';
}

/**
 * Returns the OCSP response for a certificate. Returns undefined if the responder fails and the certificate names a revocation list. The caller then
 * uses the list.
 */
async function answerOn(
  certificate: X509Certificate,
  issuer: X509Certificate,
  { ask, now, answers }: CollectContext,
): Promise<Buffer | undefined> {
  const place = accessTo(certificate, id_ad_ocsp);
  if (place === undefined) return undefined;
  const kept = answers.get(certificate.fingerprint256);
  if (kept) return kept;
  try {
    const answer = await askResponder(place, { certificate, issuer }, ask, now);
    answers.set(certificate.fingerprint256, answer);
    return answer;
  } catch (error) {
    if (error instanceof TakenBack || listPlace(certificate) === undefined) throw error;
    return undefined;
  }
}

/** Returns the revocation list that a certificate names. The list has up to 30 000 entries, so a separate sandboxed process parses it. */
async function listOf(certificate: X509Certificate, issuer: X509Certificate, { ask, now }: CollectContext): Promise<Buffer | undefined> {
  const place = listPlace(certificate);
  if (place === undefined) return undefined;
  const list = await fetched200(ask, place);
  const { response } = await workOnFile({ work: 'list', now: now.getTime() }, [list, certificate.raw, issuer.raw]);
  if (response.done !== 'list') throw new Error('The process returned an unexpected response.');
  if (!isGood(response.state)) throw new Error('The revocation list of a certificate is not from its issuer, or has expired.');
  return list;
}

async function fetched200(ask: Ask, place: string): Promise<Buffer> {
  const response = await ask(place, {});
  if (response.status !== 200) throw new Error(`Download of certificate data failed with status ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}

/** Returns the address of the OCSP responder or of the issuer certificate (RFC 5280, 4.2.2.1). */
function accessTo(certificate: X509Certificate, method: string): string | undefined {
  const access = extensionOf(certificate, id_AuthorityInfoAccess, InfoAccess)?.accessDescriptions ?? [];
  const places = access.filter((one) => one.accessMethod === method);
  return httpAddress(places.map(({ accessLocation }) => accessLocation));
}

/** Returns the address of the revocation list (RFC 5280, 4.2.1.13). */
function listPlace(certificate: X509Certificate): string | undefined {
  const points = extensionOf(certificate, id_CRLDistributionPoints, CRLDistributionPoints)?.distributionPoints ?? [];
  return httpAddress(points.flatMap(({ distributionPoint }) => (Array.isArray(distributionPoint) ? distributionPoint : [])));
}

/** Returns the value of a certificate extension, or undefined if it is missing. */
function extensionOf<Value>({ raw }: X509Certificate, id: string, type: new () => Value): Value | undefined {
  const value: unknown = readDer(Certificate, raw).extensions?.find(({ extnID }) => extnID === id)?.parsedValue;
  return value instanceof type ? value : undefined;
}

function httpAddress(names: readonly GeneralName[]): string | undefined {
  return names
    .filter(({ type }) => type === uri)
    .map(({ value }) => String(value))
    .find((one) => one.startsWith('http://'));
}
