import { defineProblems } from '../../../platform/problems.ts';

export const uploadProblems = defineProblems({
  uploads_disabled: {
    status: 404,
    title: 'Form accepts no files',
    help: 'Only a form with a field of the type `file` or `signature` accepts files. This form has none.',
  },
  file_empty: {
    status: 422,
    title: 'Empty file',
    help: 'The file has no bytes. Check that you saved it, and send it again.',
  },
  upload_limit: {
    status: 409,
    title: 'Upload limit reached',
    help: 'A session can send at most 10 files and 100 MiB, and a form stores a limited number of files without a submission. `detail` has the limit that applies. Chancery deletes files without a submission after a day.',
  },
});
