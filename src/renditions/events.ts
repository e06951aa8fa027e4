import { Type } from 'typebox';
import { defineAct } from '../platform/journal/acts.ts';

const about = {
  kind: Type.String({ description: 'What the document is made of, such as a submission' }),
  aboutId: Type.String({ description: 'The identifier of that' }),
};

export const renditionIssued = defineAct('rendition.issued', 'rendition', {
  ...about,
  sha256: Type.String({ description: 'SHA-256 of the file, in hexadecimal' }),
  pages: Type.Integer(),
});
export const renditionFailed = defineAct('rendition.failed', 'rendition', about);
export const renditionRetried = defineAct('rendition.retried', 'rendition', about);
export const renditionWithdrawn = defineAct('rendition.withdrawn', 'rendition', about);
