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
  document_not_yours_to_open: {
    status: 403,
    title: 'The document is not yours to open to others',
    help: 'Whoever names a document in a task for somebody else, or in a workflow, opens it to them, which takes owning it, a share of it or its folder, or the role of an owner or administrator. To hold it for a task, or to have decided on it, is to read it oneself. Ask its owner for a share, or to give the task.',
  },
  version_not_kept: {
    status: 403,
    title: 'Another version than the one you decided on',
    help: 'Who has completed a task on a document keeps reading the version that the task was about, and no other. `detail` names what you may read; ask the owner of the document for a share to read the rest.',
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
