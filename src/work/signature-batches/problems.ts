import { defineProblems } from '../../platform/problems.ts';

export const batchProblems = defineProblems({
  batch_rows_invalid: {
    status: 422,
    title: 'Invalid rows in the file',
    help: 'Chancery validates the whole file first, and it stored nothing. `errors` lists each error with its row, counted from 1 after the header, and its column. The header names the columns: `email`, `name`, and values of the template such as `party.name`. The file has up to 1 000 rows, of up to 200 columns and 64 KiB each. Each row gets a copy of `data`, and all copies together can have 4 MiB.',
  },
  batch_source_not_found: {
    status: 422,
    title: 'Source of the batch not found',
    help: 'Set exactly one of `templateId` (a template that you may use) and `documentId` (a document with a file that you may share).',
  },
  batch_outside_barrier: {
    status: 422,
    title: 'The copies would leave the barrier',
    help: 'A barrier protects the document, so its copies must be inside the same barrier. Set `folderId` to a folder inside that barrier.',
  },
  batch_ended: {
    status: 409,
    title: 'The batch has ended',
    help: 'No rows are left to cancel. Void sent requests one by one.',
  },
});

/** Errors: 422 `batch_outside_barrier`. */
export const outsideBarrier = () =>
  batchProblems.batch_outside_barrier('A barrier protects the document. Set `folderId` to a folder in the same barrier.', {
    errors: [{ name: 'folderId', pointer: '/folderId', reason: 'must be in the barrier of the document', rule: 'barrier' }],
  });
