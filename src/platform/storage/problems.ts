import { defineProblems } from '../problems.ts';

/** What an upload or a download of a file is refused with, wherever it is. */
export const fileProblems = defineProblems({
  file_required: {
    status: 400,
    title: 'A file is required',
    help: 'Send the upload as `multipart/form-data` with one part named `file`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The range lies outside the file',
    help: 'Ask for a range within the size of the file, which the `Content-Range` header names.',
  },
  file_infected: {
    status: 422,
    title: 'The file holds a virus',
    help: 'The virus scanner of this service found in the file what `signature` names. Nothing was kept. Clean the file, or send another.',
  },
  storage_full: {
    status: 507,
    title: 'There is no room for the file',
    help: 'The service has run out of space for files; nothing was kept. Tell the operator, and upload again later.',
  },
});
