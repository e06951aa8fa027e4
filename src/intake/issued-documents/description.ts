import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { desk } from '../../platform/http/openapi/example-data.ts';

/** The API texts of issued documents. */
export const description: DomainText = {
  operations: {
    verifyDocument: {
      text: `Verifies an issued document. The code alone proves only that **a document with this code exists**, with its issuer and time. Anyone can print a code on another document. Send the SHA-256 of the file as well: \`genuine\` says whether the file is identical to the issued document, byte by byte. You do not send the file itself.

If the contents of the document were erased, its status is \`withdrawn\`, and the response has no \`genuine\`. Codes are accepted in any case, with or without hyphens. After 30 unknown codes in an hour, an IP address gets 429.`,
      problems: ['verification_code_not_found'],
      body: { code: '7K2QD-XW9MR-A41TC-8ZJ0P', sha256: desk.sha256 },
      answer: { status: 'issued', issuer: desk.team.name, issuedAt: desk.wednesday, genuine: true },
      otherAnswers: {
        'The code alone': { status: 'issued', issuer: desk.team.name, issuedAt: desk.wednesday },
        'The contents were erased': { status: 'withdrawn', issuer: desk.team.name, issuedAt: desk.wednesday },
      },
    },
  },
};
