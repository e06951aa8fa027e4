import { Type } from 'typebox';
import { discardedMembers } from '../../../platform/jobs/due-jobs.ts';
import { defineAuditAction, defineEvent } from '../../../platform/journal/audit-actions.ts';

const document = {
  documentId: Type.String(),
  documentVersion: Type.Integer({ description: 'The version to sign' }),
};
const sealed = { sealedVersion: Type.Integer(), sealedSha256: Type.String() };
const about = {
  title: Type.String(),
  documentId: Type.String(),
  documentVersion: Type.Integer({ description: 'The version to sign' }),
  documents: Type.Array(Type.Object(document), { description: 'All documents of the request. `documentId` is the first' }),
  workflowId: Type.Optional(Type.String()),
  stepId: Type.Optional(Type.String()),
};
const signerId = Type.String({ description: 'The identifier of the signer in the request' });
const evidence = Type.String({ description: 'SHA-256 of the JWS with the evidence, in hexadecimal' });
const reason = Type.Optional(Type.String());
const scope = 'signatures:read';
const texts = ['title'] as const;
const withReason = ['title', 'reason'] as const;
const target = 'signature';
const [id, sha256] = ['01999999-0000-7000-8000-000000000000', '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'];
const example = {
  title: 'Master services agreement',
  documentId: id,
  documentVersion: 2,
  documents: [{ documentId: id, documentVersion: 2 }],
};

export const signatureRequested = defineEvent({
  type: 'signature.requested',
  target,
  scope,
  description: 'Signatures on a document were requested.',
  data: Type.Object({ ...about, signers: Type.Integer() }),
  texts,
  example: { ...example, signers: 2 },
});
export const signatureViewed = defineEvent({
  type: 'signature.viewed',
  target,
  scope,
  description: 'A signer opened the document.',
  data: Type.Object({ ...about, signerId, evidenceSha256: evidence }),
  texts,
  example: { ...example, signerId: id, evidenceSha256: sha256 },
});
export const signatureSigned = defineEvent({
  type: 'signature.signed',
  target,
  scope,
  description: 'A signer signed or approved. Chancery seals the document after the last signature.',
  data: Type.Object({ ...about, signerId, evidenceSha256: evidence }),
  texts,
  example: { ...example, signerId: id, evidenceSha256: sha256 },
});
export const signatureDeclined = defineEvent({
  type: 'signature.declined',
  target,
  scope,
  description: 'A signer declined, which ends the request.',
  data: Type.Object({ ...about, signerId, evidenceSha256: evidence, reason }),
  texts: withReason,
  example: { ...example, signerId: id, evidenceSha256: sha256 },
});
export const signatureCompleted = defineEvent({
  type: 'signature.completed',
  target,
  scope,
  description: 'All signers have signed. The sealed file of each document is its newest version.',
  data: Type.Object({
    ...about,
    ...sealed,
    documents: Type.Array(Type.Object({ ...document, ...sealed }), {
      description: 'All documents of the request, with their sealed versions. `documentId` is the first',
    }),
  }),
  texts,
  example: {
    ...example,
    sealedVersion: 3,
    sealedSha256: sha256,
    documents: [{ documentId: id, documentVersion: 2, sealedVersion: 3, sealedSha256: sha256 }],
  },
});
export const signatureExpired = defineEvent({
  type: 'signature.expired',
  target,
  scope,
  description: 'A signature request expired before all signers signed.',
  data: Type.Object(about),
  texts,
  example,
});
export const signatureVoided = defineEvent({
  type: 'signature.voided',
  target,
  scope,
  description: 'A signature request was voided.',
  data: Type.Object({ ...about, reason }),
  texts: withReason,
  example: { ...example, reason: 'The price changed' },
});
export const signatureFailed = defineEvent({
  type: 'signature.failed',
  target,
  scope,
  description: 'A document could not be prepared for the signers or could not be sealed.',
  data: Type.Object({
    ...about,
    step: Type.String(),
    error: Type.String(),
    failedDocumentId: Type.Optional(Type.String({ description: 'The document that could not be prepared or sealed' })),
  }),
  texts,
  example: { ...example, step: 'prepare', error: 'password' },
});

const ofSigner = { signerId };
/** The link was emailed to a signer whose turn it is. */
export const signerRequested = defineAuditAction('signature.signer_asked', target, ofSigner);
export const signerReminded = defineAuditAction('signature.signer_reminded', target, { ...ofSigner, reminder: Type.Integer() });
/** A member resent the email with the link. `time` counts the resends within a day. */
export const signerResent = defineAuditAction('signature.signer_resent', target, { ...ofSigner, time: Type.Integer() });
/** The expiry of a request was moved to a later time. */
export const signatureExtended = defineAuditAction('signature.extended', target, { expiresAt: Type.String(), before: Type.String() });
/** The name or address of a signer who has not opened the document was corrected. The old link is invalid. */
export const signerCorrected = defineAuditAction('signature.signer_corrected', target, { ...ofSigner, evidenceSha256: evidence });
/** A signer delegated the signature to another person. */
export const signatureDelegated = defineAuditAction('signature.delegated', target, { ...ofSigner, evidenceSha256: evidence });
export const codeSent = defineAuditAction('signature.code_sent', target, ofSigner);
export const codeTried = defineAuditAction('signature.code_tried', target, { ...ofSigner, right: Type.Boolean() });
/** The daily limit of codes was reached. */
export const codesLocked = defineAuditAction('signature.codes_locked', target, ofSigner);
/** The request was suspended. No one can sign until an authorized member resumes it. */
export const signatureSuspended = defineAuditAction('signature.suspended', target, { reason: Type.String() });
export const signatureResumed = defineAuditAction('signature.resumed', target);
export const signatureRetried = defineAuditAction('signature.retried', target, { step: Type.String() });
/** A member read the evidence, which contains network addresses and browsers. */
export const evidenceRead = defineAuditAction('signature.evidence_read', target);
/** The visitor of a link downloaded the sealed file. */
export const sealedFetched = defineAuditAction('signature.sealed_fetched', target, ofSigner);
/** The expiry of a request failed ten times and is not retried. */
export const expiryFailed = defineAuditAction('signature.expiry_failed', target, discardedMembers);
/** The reminder of a signer failed ten times and is not retried. */
export const reminderSetAside = defineAuditAction('signature.reminder_failed', 'signer', discardedMembers);
