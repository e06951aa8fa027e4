import { defineProblems } from '../../platform/problems.ts';

export const signatureProblems = defineProblems({
  file_too_complex: {
    status: 422,
    title: 'The file takes too much to look at',
    help: 'Looking at the signatures of this file took more time or memory than one file is given, or the file is built so that it cannot be read. Open it in a reader of PDF that checks signatures.',
  },
});
