import { defineProblems } from '../../../platform/problems.ts';

export const submissionDocumentProblems = defineProblems({
  document_not_ready: {
    status: 409,
    title: 'Document not ready',
    help: 'Chancery is creating the document, which takes a few seconds. Try again after `Retry-After`, or read the member `ready` of the status.',
  },
  document_failed: {
    status: 409,
    title: 'Document failed',
    help: 'Your answers are stored, but Chancery could not create the document. The owner of the form was notified and can retry.',
  },
});
