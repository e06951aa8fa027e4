import { defineProblems } from '../../../platform/problems.ts';

export const submissionDocumentProblems = defineProblems({
  document_not_ready: {
    status: 409,
    title: 'The document is not ready yet',
    help: 'The document is being made, which takes seconds. Ask again after `Retry-After`, or read `ready` of the status.',
  },
  document_failed: {
    status: 409,
    title: 'The document could not be made',
    help: 'The answers are safe; the document with them could not be made. Whose the form is was told, and can have it made again.',
  },
});
