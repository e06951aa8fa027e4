import { defineProblems } from '../../../platform/problems.ts';

export const uploadProblems = defineProblems({
  uploads_disabled: {
    status: 404,
    title: 'The form takes no files',
    help: 'Files are taken by forms that have a field of the type `file` or `signature`. This one has none.',
  },
  file_empty: {
    status: 422,
    title: 'The file is empty',
    help: 'A file without a single byte came. Look whether it was saved before it was sent, and send it again.',
  },
  upload_limit: {
    status: 409,
    title: 'No more files are taken for now',
    help: 'One session sends at most 10 files and 100 MiB, and a form keeps a limited amount that no submission refers to yet; `detail` says which was reached. What nobody submits goes after a day.',
  },
});
