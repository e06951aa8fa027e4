import { defineProblems } from '../../platform/problems.ts';

export const signatureProblems = defineProblems({
  file_too_complex: {
    status: 422,
    title: 'File too complex to verify',
    help: 'The verification of this file exceeded its time or memory limit, or the file cannot be read. Open it in a PDF viewer that checks signatures.',
  },
});
