import type { DomainText } from '../../platform/http/openapi/texts.ts';
import { desk } from '../../platform/http/openapi/example-data.ts';

/** What the description of the API says of these operations. */
export const description: DomainText = {
  operations: {
    verifyDocument: {
      text: `Says what is known of the document that carries a code. The code alone says that **a document with this code exists**, who issued it and when;
anybody can print a code on anything. Send the SHA-256 of the file as well: \`genuine\` says whether the file is that document, byte by byte. The file
stays where it is.

A document whose contents were erased is \`withdrawn\`, and nothing is said of a file. Codes are taken as people type them, in any
case, with or without lines. After 30 codes in an hour that are none, an address waits (429).`,
      problems: ['verification_code_not_found'],
      body: { code: '7K2QD-XW9MR-A41TC-8ZJ0P', sha256: desk.sha256 },
      answer: { status: 'issued', issuer: desk.team.name, issuedAt: desk.wednesday, genuine: true },
      otherAnswers: {
        'The code alone': { status: 'issued', issuer: desk.team.name, issuedAt: desk.wednesday },
        'What it said was erased': { status: 'withdrawn', issuer: desk.team.name, issuedAt: desk.wednesday },
      },
    },
  },
};
