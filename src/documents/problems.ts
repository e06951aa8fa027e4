import { defineProblems } from '../platform/problems.ts';

export const documentProblems = defineProblems({
  file_required: {
    status: 400,
    title: 'A file is required',
    help: 'Send the upload as `multipart/form-data` with one part named `file`.',
  },
  document_has_no_file: {
    status: 404,
    title: 'The document has no file yet',
    help: 'The document was created without a file. Upload one as its first version.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies outside the file',
    help: 'Ask for a range within the size of the file, which the `Content-Range` header names.',
  },
  storage_full: {
    status: 507,
    title: 'There is no room for the file',
    help: 'The service has run out of space for files; nothing was kept. Tell the operator, and upload again later.',
  },
});
