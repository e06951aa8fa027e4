import { X509Certificate } from 'node:crypto';
import { BasicOCSPResponse, CertID, Certificate, id_PKIX_OCSP_Basic, OCSPRequest, OCSPResponse, Request, TBSRequest } from 'pkijs';
import { readDer, writeDer } from '../../../platform/crypto/asn1.ts';
import { isSignedBy } from '../verifying/algorithms.ts';
import { TakenBack } from './revocation-list.ts';
import type { Ask } from './timestamps.ts';

/** The purpose of a certificate that answers for its issuer (RFC 6960, 4.2.2.2). */
const answersFor = '1.3.6.1.5.5.7.3.9';
/** The tags of the states of a certificate (RFC 6960, 4.2.1). */
const states = { good: 0, revoked: 1 };
/** How far the clock of a responder may be before this one. */
const ahead = 5 * 60_000;
/** So old is an answer at most that does not say until when it is good. */
const longest = 86_400_000;
const maxCertificates = 5;

type About = { certificate: X509Certificate; issuer: X509Certificate };

/** Asks a responder about a certificate (RFC 6960), and gives its answer where that says that it is good. Throws otherwise. */
export async function askResponder(place: string, { certificate, issuer }: About, ask: Ask, now: Date): Promise<Buffer> {
  const issuerCertificate = readDer(Certificate, issuer.raw);
  // Responders know SHA-1 alone (RFC 5019, 2.1.1); it names a certificate here and proves nothing.
  const id = await CertID.create(readDer(Certificate, certificate.raw), { hashAlgorithm: 'SHA-1', issuerCertificate });
  const response = await ask(place, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: writeDer(new OCSPRequest({ tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: id })] }) }).toSchema(true)),
  });
  if (response.status !== 200) throw new Error(`the responder of a certificate answered ${response.status}`);
  const answer = Buffer.from(await response.arrayBuffer());
  checkAnswer(answer, id, issuer, now);
  return answer;
}

function checkAnswer(answer: Buffer, id: CertID, issuer: X509Certificate, now: Date): void {
  const { responseStatus, responseBytes } = readDer(OCSPResponse, answer);
  if (responseStatus.valueBlock.valueDec !== 0 || responseBytes?.responseType !== id_PKIX_OCSP_Basic)
    throw new Error('the responder of a certificate did not answer');
  const basic = readDer(BasicOCSPResponse, new Uint8Array(responseBytes.response.getValue()));
  const { tbsResponseData, signatureAlgorithm: algorithm, signature } = basic;
  const signed = { bytes: tbsResponseData.tbsView, algorithm, signature: signature.valueBlock.valueHexView };
  if (!isSignedBy([issuer, ...answering(basic, issuer, now)], signed))
    throw new Error('the answer about a certificate is not signed by whoever may answer');
  const single = tbsResponseData.responses.find(({ certID }) => certID.isEqual(id));
  if (!single) throw new Error('the answer about a certificate is about another');
  const { tagClass, tagNumber } = (single.certStatus as { idBlock: { tagClass: number; tagNumber: number } }).idBlock;
  if (tagClass === 3 && tagNumber === states.revoked) throw new TakenBack();
  if (tagClass !== 3 || tagNumber !== states.good) throw new Error('the responder of a certificate does not know it');
  const begins = single.thisUpdate.getTime();
  const ends = single.nextUpdate?.getTime() ?? begins + longest;
  if (!(begins <= now.getTime() + ahead && ends >= now.getTime())) throw new Error('the answer about a certificate is not of now');
}

/** The certificates in an answer that its issuer has made for those who answer in its place. */
function answering({ certs = [] }: BasicOCSPResponse, issuer: X509Certificate, now: Date): X509Certificate[] {
  return certs
    .slice(0, maxCertificates)
    .map((one) => new X509Certificate(writeDer(one)))
    .filter(
      (one) => ((one.keyUsage as string[] | undefined) ?? []).includes(answersFor) && one.validFromDate <= now && one.validToDate >= now,
    )
    .filter((one) => one.checkIssued(issuer) && one.verify(issuer.publicKey));
}
