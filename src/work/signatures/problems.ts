import { defineProblems } from '../../platform/problems.ts';

export const signatureProblems = defineProblems({
  file_too_complex: {
    status: 422,
    title: 'File too complex to verify',
    help: 'The verification reached its time or memory limit, or the file cannot be read. Open the file in a PDF viewer that checks signatures.',
  },
});
