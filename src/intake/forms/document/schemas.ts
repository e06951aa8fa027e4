import { Type } from 'typebox';

export const submissionStatus = Type.Object(
  {
    documentId: Type.String({ description: 'The document with the answers' }),
    ready: Type.Boolean({ description: 'Whether the PDF can be downloaded' }),
  },
  { title: 'SubmissionStatus', additionalProperties: false },
);
