import { Type } from 'typebox';

export const submissionStatus = Type.Object(
  {
    documentId: Type.String({ description: 'The document that the answers are kept in' }),
    ready: Type.Boolean({ description: 'Whether the PDF can be downloaded' }),
  },
  { title: 'SubmissionStatus', additionalProperties: false },
);
