import type { X509Certificate } from 'node:crypto';
import { type Checked, checkMessage, NotUnderstood } from './cms.ts';
import { addedBehind, findSignatures, type FoundSignature, type Misfit, maxSignatures } from './find-signatures.ts';
import { allowsSignatures } from './key-usage.ts';
import type { VerifyRequest, Reason, Revoked, Signature, SignatureStatus, Verdict } from './messages.ts';
import { judge, readCertificates } from './trust.ts';

const statusOf: Readonly<Record<Reason, SignatureStatus>> = {
  content_changed: 'modified',
  added_after_signing: 'modified',
  broken_signature: 'invalid',
  weak_algorithm: 'invalid',
  not_a_pdf: 'unknown',
  unsigned: 'unknown',
  too_many_signatures: 'unknown',
  not_understood: 'unknown',
  expired: 'unknown',
  revoked: 'invalid',
  untrusted: 'unknown',
};
/** The statuses by severity, the most severe first. */
const graveness: readonly SignatureStatus[] = ['modified', 'invalid', 'unknown'];

/**
 * Checks a signed file for changes after the signature, for its signatures, and for later additions.
 * @param proven ends of the signed ranges after which the file has only validation data
 */
export function verdictOn(file: Buffer, { trusted, revoked = [], now }: VerifyRequest, proven: ReadonlySet<number> = new Set()): Verdict {
  if (!file.subarray(0, 1_024).includes('%PDF-')) return none('not_a_pdf');
  const found = findSignatures(file);
  if (found.length === 0) return none('unsigned');
  if (found.length > maxSignatures) return none('too_many_signatures');
  const trust = { trusted: readCertificates(trusted), revoked, now };
  const read = found.map((one) => ({ ...one, said: verdictOnOne(one, trust) }));
  // A timestamp covers only the content before it. A later signature adds content.
  const last = Math.max(0, ...read.filter(({ said }) => said.kind === 'signature' && intact(said)).map(({ end }) => end));
  const whole = (end: number) => end === file.length || (proven.has(end) && end >= last);
  const judged = read.map((one) => ({ ...one, said: { ...one.said, covers: whole(one.end) ? ('whole' as const) : ('part' as const) } }));
  // A misfit that a later signature covers existed when it was signed, for example a signed attachment.
  const covered = Math.max(0, ...judged.filter(({ said }) => intact(said)).map(({ end }) => end));
  const signatures = judged.filter(({ at, end }) => end > 0 || at >= covered).map(({ said }) => said);
  const end = found.at(-1)?.end ?? 0;
  const added = end === 0 || whole(end) ? undefined : addedBehind(file, end);
  const grave = graveness.flatMap((status) => signatures.find((one) => one.status === status) ?? [])[0];
  // If another signature covers the rest of the file, the first signer did not agree to the whole.
  const partly = signatures.some(({ covers }) => covers === 'part') ? 'added_after_signing' : undefined;
  const changed = grave?.status === 'modified' ? grave.reason : partly;
  const reason = changed ?? grave?.reason;
  return {
    status: reason === undefined ? 'valid' : statusOf[reason],
    ...(reason === undefined ? {} : { reason }),
    signatures,
    ...(added === undefined ? {} : { added }),
  };
}

function none(reason: Reason): Verdict {
  return { status: statusOf[reason], reason, signatures: [] };
}

/** Whether the signature matches its key and these bytes. Does not consider whether the certificate is trusted. */
const intact = ({ reason }: SignatureVerdict) => reason === undefined || reason === 'untrusted' || reason === 'expired';

type Trust = { trusted: X509Certificate[]; revoked: readonly Revoked[]; now: number };

type SignatureVerdict = Omit<Signature, 'covers'>;

function verdictOnOne(found: FoundSignature | Misfit, trust: Trust): SignatureVerdict {
  const unread = (reason: Reason): SignatureVerdict => ({ status: statusOf[reason], reason, kind: 'signature' });
  if (!('contents' in found)) return unread('content_changed');
  try {
    return signatureOf(checkMessage(found.contents, found.signed), found, trust);
  } catch (error) {
    // An error of the parser means a broken signature, not a bug in the service.
    return unread(error instanceof NotUnderstood ? 'not_understood' : 'broken_signature');
  }
}

function signatureOf(checked: Checked, { dictionary }: FoundSignature, trust: Trust): SignatureVerdict {
  const reason = reasonOf(checked, trust);
  const name = nameOf(checked.certificate.subject);
  const issuer = nameOf(checked.certificate.issuer);
  const time = (checked.stamp?.time ?? checked.time ?? modified(dictionary))?.toISOString();
  return {
    status: reason === undefined ? 'valid' : statusOf[reason],
    ...(reason === undefined ? {} : { reason }),
    kind: checked.timestamp ? 'timestamp' : 'signature',
    ...(name === undefined ? {} : { name }),
    ...(issuer === undefined ? {} : { issuer }),
    ...(time === undefined ? {} : { signedAt: time }),
  };
}

function reasonOf({ about, sound, weak, certificate, others, timestamp, stamp }: Checked, trust: Trust): Reason | undefined {
  if (!sound || (stamp && !(stamp.sound && stamp.about))) return 'broken_signature';
  if (!about) return 'content_changed';
  if (weak) return 'weak_algorithm';
  if (isRevoked(certificate, stamp, trust)) return 'revoked';
  if (!allowsSignatures(certificate)) return 'untrusted';
  const judged = judge(certificate, { others, ...trust, timestamp });
  if (judged === 'trusted' || (judged === 'expired' && stamp && wasGood(certificate, others, stamp, trust))) return undefined;
  return judged;
}

/** Whether the certificate is revoked and no trusted timestamp proves that the signature existed before. */
function isRevoked(certificate: X509Certificate, stamp: Checked | undefined, trust: Trust): boolean {
  const revoked = trust.revoked.find(
    ({ issuer, serialNumber }) => issuer === certificate.issuer && serialNumber === certificate.serialNumber,
  );
  if (!revoked) return false;
  const before = stamp?.time !== undefined && stamp.time.getTime() < revoked.at && !stamp.weak;
  return !(before && judge(stamp.certificate, { others: stamp.others, ...trust, timestamp: true }) === 'trusted');
}

/** Whether a trusted timestamp proves that the signature existed while its certificate was valid. */
function wasGood(certificate: X509Certificate, others: X509Certificate[], stamp: Checked, trust: Trust): boolean {
  if (stamp.weak || !stamp.time || judge(stamp.certificate, { others: stamp.others, ...trust, timestamp: true }) !== 'trusted')
    return false;
  return judge(certificate, { others, ...trust, now: stamp.time.getTime() }) === 'trusted';
}

/** Returns the signing time in a signature dictionary: D:20260310090000+01'00' (ISO 32000-2, 7.9.4). */
function modified(dictionary: string): Date | undefined {
  const [, year, month, day, hour, minute, second, sign, ...zone] =
    /\/M\s*\(D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z|([+-])(\d\d)'?(\d\d)?)?/.exec(dictionary) ?? [];
  if (year === undefined) return undefined;
  const offset = sign === undefined ? 'Z' : `${sign}${zone[0]}:${zone[1] ?? '00'}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

/** Returns the common name or the organization, without control and formatting characters. */
function nameOf(subject: string): string | undefined {
  const parts = new Map(subject.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
  const name = parts.get('CN') ?? parts.get('O');
  const clean = name
    ?.replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .slice(0, 200)
    .toWellFormed();
  return clean === '' ? undefined : clean;
}
