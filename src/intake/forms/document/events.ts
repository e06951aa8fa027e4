import { Type } from 'typebox';
import { defineEvent } from '../../../platform/journal/audit-actions.ts';

export const submissionDocumentReady = defineEvent({
  type: 'submission.document_ready',
  target: 'submission',
  scope: 'interfaces:read',
  description: 'The PDF with the answers of a submission was made.',
  data: Type.Object({
    interfaceId: Type.String(),
    sha256: Type.String({ description: 'SHA-256 of the file, in hexadecimal' }),
    pages: Type.Integer(),
  }),
  example: {
    interfaceId: '01999999-0000-7000-8000-000000000000',
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pages: 2,
  },
});
