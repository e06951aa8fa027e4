import { Type } from 'typebox';
import { defineAuditAction } from '../../platform/journal/audit-actions.ts';

const about = {
  kind: Type.String({ description: 'The kind of its source, such as a submission' }),
  aboutId: Type.String({ description: 'The identifier of the source' }),
};

export const documentIssued = defineAuditAction('issued_document.created', 'rendition', {
  ...about,
  sha256: Type.String({ description: 'SHA-256 of the file, in hexadecimal' }),
  pages: Type.Integer(),
});
export const documentFailed = defineAuditAction('issued_document.failed', 'rendition', about);
export const documentRetried = defineAuditAction('issued_document.retried', 'rendition', about);
export const documentWithdrawn = defineAuditAction('issued_document.withdrawn', 'rendition', about);
