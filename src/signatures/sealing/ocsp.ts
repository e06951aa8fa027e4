import { createHash, verify, X509Certificate } from 'node:crypto';
import { identifier, nothing, octets, partsOf, type Part, sequence } from '../../platform/crypto/der.ts';
import { digestOf, TakenBack, timeOf } from './signed-parts.ts';
import type { Ask } from './timestamps.ts';

const sha1 = '1.3.14.3.2.26';
/** The purpose of a certificate that answers for its issuer (RFC 6960, 4.2.2.2). */
const answersFor = '1.3.6.1.5.5.7.3.9';
/** How far the clock of a responder may be before this one. */
const ahead = 5 * 60_000;
/** So old is an answer at most that does not say until when it is good. */
const longest = 86_400_000;
const mostCertificates = 5;
const empty = Buffer.alloc(0);

type About = { certificate: X509Certificate; issuer: X509Certificate };
type Named = { name: Buffer; key: Buffer; number: Buffer };

/** Where a certificate says that its state is asked for, over a connection of its own (RFC 5280, 4.2.2.1). */
export function responderOf({ infoAccess }: X509Certificate): string | undefined {
  return /OCSP - URI:(http:\/\/\S+)/.exec(infoAccess ?? '')?.[1];
}

/** Asks a responder about a certificate (RFC 6960), and gives its answer where that says that it is good. Throws otherwise. */
export async function askResponder(place: string, about: About, ask: Ask, now: Date): Promise<Buffer> {
  const named = nameOf(about);
  const one = sequence(sequence(identifier(sha1), nothing()), octets(named.name), octets(named.key), named.number);
  const response = await ask(place, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: sequence(sequence(sequence(sequence(one)))),
  });
  if (response.status !== 200) throw new Error(`the responder of a certificate answered ${response.status}`);
  const answer = Buffer.from(await response.arrayBuffer());
  checkAnswer(answer, about, named, now);
  return answer;
}

/** How a question names a certificate: by hashes of its issuer's name and key, and by its number as it stands in it. */
function nameOf({ certificate, issuer }: About): Named {
  const hash = (bytes: Buffer) => createHash('sha1').update(bytes).digest();
  const [number, , name] = fieldsOf(certificate);
  const key = partsOf(partsOf(issuer.publicKey.export({ format: 'der', type: 'spki' }))[0]!.content)[1]!.content;
  return { name: hash(name!.raw), key: hash(key.subarray(1)), number: number!.raw };
}

/** What a certificate says of itself, from its number on. */
function fieldsOf(certificate: X509Certificate): Part[] {
  const fields = partsOf(partsOf(partsOf(certificate.raw)[0]!.content)[0]!.content);
  return fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
}

function checkAnswer(answer: Buffer, { issuer }: About, named: Named, now: Date): void {
  const [status, held] = partsOf(partsOf(answer)[0]?.content ?? empty);
  const bytes = partsOf(partsOf(held?.content ?? empty)[0]?.content ?? empty)[1];
  if (status?.content.toString('hex') !== '00' || !bytes) throw new Error('the responder of a certificate did not answer');
  const [said, method, signature, more] = partsOf(partsOf(bytes.content)[0]?.content ?? empty);
  if (!said || !method || !signature) throw new Error('the responder of a certificate answered something else');
  const digest = digestOf(method);
  const signed = (by: X509Certificate) => digest !== undefined && verify(digest, said.raw, by.publicKey, signature.content.subarray(1));
  if (![issuer, ...answering(more, issuer, now)].some(signed))
    throw new Error('the answer about a certificate is not signed by whoever may answer');
  const singles = partsOf(said.content).find(({ tag }) => tag === 0x30);
  const single = partsOf(singles?.content ?? empty)
    .map(({ content }) => partsOf(content))
    .find(([id]) => isNamed(id, named));
  if (!single) throw new Error('the answer about a certificate is about another');
  const [, state, from, until] = single;
  if (state?.tag === 0xa1) throw new TakenBack();
  if (state?.tag !== 0x80) throw new Error('the responder of a certificate does not know it');
  const begins = timeOf(from!).getTime();
  const ends = until?.tag === 0xa0 ? timeOf(partsOf(until.content)[0]!).getTime() : begins + longest;
  if (!(begins <= now.getTime() + ahead && ends >= now.getTime())) throw new Error('the answer about a certificate is not of now');
}

function isNamed(id: Part | undefined, { name, key, number }: Named): boolean {
  const [, itsName, itsKey, itsNumber] = partsOf(id?.content ?? empty);
  return itsName?.content.equals(name) === true && itsKey?.content.equals(key) === true && itsNumber?.raw.equals(number) === true;
}

/** The certificates in an answer that its issuer has made for those who answer in its place. */
function answering(more: Part | undefined, issuer: X509Certificate, now: Date): X509Certificate[] {
  return partsOf(partsOf(more?.content ?? empty)[0]?.content ?? empty)
    .slice(0, mostCertificates)
    .map(({ raw }) => new X509Certificate(raw))
    .filter(
      (one) => ((one.keyUsage as string[] | undefined) ?? []).includes(answersFor) && one.validFromDate <= now && one.validToDate >= now,
    )
    .filter((one) => one.checkIssued(issuer) && one.verify(issuer.publicKey));
}
