import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** A visitor or a program has sent a file. What it is called, and what is in it, the journal does not say. */
export const uploadReceived = defineAuditAction('upload.received', 'upload', {
  interfaceId: Type.String(),
  channel: Type.String({ description: 'public or api' }),
  mediaType: Type.String({ description: 'The media type, detected from the content' }),
  size: Type.Integer({ description: 'In bytes' }),
});

/** Somebody of the team has read the bytes of a file that was submitted. */
export const fileRead = defineAuditAction('submission.file_read', 'interface', {
  submissionId: Type.String(),
  fileId: Type.String(),
  via: Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' })),
});
