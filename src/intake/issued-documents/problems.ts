import { defineProblems } from '../../platform/problems.ts';

export const issuedDocumentProblems = defineProblems({
  verification_code_not_found: {
    status: 404,
    title: 'No document carries this code',
    help: 'Codes have twenty letters and digits in four groups, and stand on the last page and at the foot of each. Compare yours with the document, letter by letter. One that is not known here was not issued here.',
  },
  document_not_failed: {
    status: 409,
    title: 'The document did not fail',
    help: 'Only a document that could not be made is made again. Read its status: it is waiting, ready, or was withdrawn.',
  },
});
