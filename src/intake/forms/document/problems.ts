import { defineProblems } from '../../../platform/problems.ts';

export const submissionDocumentProblems = defineProblems({
  document_not_ready: {
    status: 409,
    title: 'Document not ready',
    help: 'Chancery is making the document, which takes seconds. Try again after `Retry-After`, or read `ready` of the status.',
  },
  document_failed: {
    status: 409,
    title: 'Document failed',
    help: 'Your answers are stored, but Chancery could not make their document. The owner of the form was notified and can retry.',
  },
});
