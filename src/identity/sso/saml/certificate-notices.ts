import { managerContacts } from '#accounts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { certificatesChanged } from '../events.ts';
import { type CertificateNotice, certificateMail } from '../mails.ts';
import type { ProviderCertificate } from './certificates.ts';

type NewCertificates = { certificates: readonly ProviderCertificate[]; by: 'administrator' | 'metadata' };

/** Records new certificates of a connection and reports them to the owner and the administrators by mail. */
export async function recordCertificates(
  scope: Scope,
  { id, issuer }: { id: string; issuer: string },
  { certificates, by }: NewCertificates,
): Promise<void> {
  const fingerprints = certificates.map(({ fingerprint }) => fingerprint.toString('hex'));
  await recordAudit(scope, certificatesChanged, id, { fingerprints, by });
  await notifyManagers(scope, { kind: 'changed', issuer, fingerprints, by });
}

export async function notifyManagers({ db, team }: Scope, notice: CertificateNotice): Promise<void> {
  for (const { email, locale } of await db.all(managerContacts, { team }))
    await queueMail(db, { ...certificateMail(locale, notice), to: email, team, budgeted: true, lowPriority: true });
}
