import { X509Certificate } from 'node:crypto';
import { BasicOCSPResponse, CertID, Certificate, id_PKIX_OCSP_Basic, OCSPRequest, OCSPResponse, Request, TBSRequest } from 'pkijs';
import { readDer, writeDer } from '../../../platform/crypto/asn1.ts';
import { isSignedBy } from '../verifying/algorithms.ts';
import { TakenBack } from './revocation-list.ts';
import type { Ask } from './timestamps.ts';

/** The extended key usage of an OCSP responder (RFC 6960, 4.2.2.2). */
const answersFor = '1.3.6.1.5.5.7.3.9';
/** The tags of certificate states (RFC 6960, 4.2.1). */
const states = { good: 0, revoked: 1 };
/** Maximum time by which the clock of a responder may be ahead, in milliseconds. */
const ahead = 5 * 60_000;
/** Maximum age of a response without an expiry, in milliseconds. */
const longest = 86_400_000;
const maxCertificates = 5;

type About = { certificate: X509Certificate; issuer: X509Certificate };

/** Requests the status of a certificate (RFC 6960). Returns the response if the certificate is not revoked. Otherwise throws. */
export async function askResponder(place: string, { certificate, issuer }: About, ask: Ask, now: Date): Promise<Buffer> {
  const issuerCertificate = readDer(Certificate, issuer.raw);
  // Many responders only support SHA-1 (RFC 5019, 2.1.1). The hash only identifies the certificate and proves nothing.
  const id = await CertID.create(readDer(Certificate, certificate.raw), { hashAlgorithm: 'SHA-1', issuerCertificate });
  const response = await ask(place, {
    method: 'POST',
    headers: { 'content-type': 'application/ocsp-request', accept: 'application/ocsp-response' },
    body: writeDer(new OCSPRequest({ tbsRequest: new TBSRequest({ requestList: [new Request({ reqCert: id })] }) }).toSchema(true)),
  });
  if (response.status !== 200) throw new Error(`The OCSP responder returned status ${response.status}.`);
  const answer = Buffer.from(await response.arrayBuffer());
  checkAnswer(answer, id, issuer, now);
  return answer;
}

function checkAnswer(answer: Buffer, id: CertID, issuer: X509Certificate, now: Date): void {
  const { responseStatus, responseBytes } = readDer(OCSPResponse, answer);
  if (responseStatus.valueBlock.valueDec !== 0 || responseBytes?.responseType !== id_PKIX_OCSP_Basic)
    throw new Error('The OCSP responder returned no certificate state.');
  const basic = readDer(BasicOCSPResponse, new Uint8Array(responseBytes.response.getValue()));
  const { tbsResponseData, signatureAlgorithm: algorithm, signature } = basic;
  const signed = { bytes: tbsResponseData.tbsView, algorithm, signature: signature.valueBlock.valueHexView };
  if (!isSignedBy([issuer, ...answering(basic, issuer, now)], signed))
    throw new Error('The OCSP response is not signed by the issuer or its responder.');
  const single = tbsResponseData.responses.find(({ certID }) => certID.isEqual(id));
  if (!single) throw new Error('The OCSP response is for another certificate.');
  const { tagClass, tagNumber } = (single.certStatus as { idBlock: { tagClass: number; tagNumber: number } }).idBlock;
  if (tagClass === 3 && tagNumber === states.revoked) throw new TakenBack();
  if (tagClass !== 3 || tagNumber !== states.good) throw new Error('The OCSP responder does not know the certificate.');
  const begins = single.thisUpdate.getTime();
  const ends = single.nextUpdate?.getTime() ?? begins + longest;
  if (!(begins <= now.getTime() + ahead && ends >= now.getTime())) throw new Error('The OCSP response is not current.');
}

/** Returns the certificates of a response that the issuer authorized to sign OCSP responses. */
function answering({ certs = [] }: BasicOCSPResponse, issuer: X509Certificate, now: Date): X509Certificate[] {
  return certs
    .slice(0, maxCertificates)
    .map((one) => new X509Certificate(writeDer(one)))
    .filter(
      (one) => ((one.keyUsage as string[] | undefined) ?? []).includes(answersFor) && one.validFromDate <= now && one.validToDate >= now,
    )
    .filter((one) => one.checkIssued(issuer) && one.verify(issuer.publicKey));
}
