import { Type } from 'typebox';
import { defineAuditAction } from '../../../platform/journal/audit-actions.ts';

/** A visitor or a program uploaded a file. The journal contains neither its name nor its content. */
export const uploadReceived = defineAuditAction('upload.received', 'upload', {
  interfaceId: Type.String(),
  channel: Type.String({ description: 'public or api' }),
  mediaType: Type.String({ description: 'The media type, detected from the content' }),
  size: Type.Integer({ description: 'In bytes' }),
});

/** A member downloaded a file of a submission. */
export const fileRead = defineAuditAction('submission.file_read', 'interface', {
  submissionId: Type.String(),
  fileId: Type.String(),
  via: Type.Optional(Type.Literal('role', { description: 'Allowed by the actor’s role in the team alone' })),
});
