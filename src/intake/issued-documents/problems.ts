import { defineProblems } from '../../platform/problems.ts';

export const issuedDocumentProblems = defineProblems({
  verification_code_not_found: {
    status: 404,
    title: 'Verification code not found',
    help: 'No document of this server has this code. A code has twenty letters and digits in four groups. It is at the foot of each page and on the last page. Compare your code with the document.',
  },
  document_not_failed: {
    status: 409,
    title: 'Document not failed',
    help: 'Only a failed document can be created again. This document is pending, ready or withdrawn: read its status.',
  },
});
