import { defineProblems } from '../../platform/problems.ts';

export const downloadProblems = defineProblems({
  not_downloadable: {
    status: 422,
    title: 'Path without a file',
    help: '`path` is not the path of an operation that sends a file, or its `body` is missing. Use the path of a download operation, such as `/api/v1/smartdoc/documents/{id}/content`.',
  },
  download_expired: {
    status: 404,
    title: 'Download address expired',
    help: 'The address was used, has expired after one minute, or does not exist. Start the download again.',
  },
});
