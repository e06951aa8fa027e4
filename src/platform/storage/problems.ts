import { defineProblems } from '../problems.ts';

/** Errors of uploads and downloads. */
export const fileProblems = defineProblems({
  file_required: {
    status: 400,
    title: 'File required',
    help: 'Send the upload as `multipart/form-data` with one part named `file`.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    help: 'Request a range within the size of the file, which the `Content-Range` header contains.',
  },
  file_infected: {
    status: 422,
    title: 'File infected',
    help: 'The virus scanner of this service found a virus, which `signature` names. The file was not stored. Clean the file, or send another.',
  },
  storage_full: {
    status: 507,
    title: 'File storage full',
    help: 'The service has no space left for files, and the file was not stored. Ask the operator to free some space, and upload again later.',
  },
});
