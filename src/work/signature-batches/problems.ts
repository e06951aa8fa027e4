import { defineProblems } from '../../platform/problems.ts';

export const batchProblems = defineProblems({
  batch_rows_invalid: {
    status: 422,
    title: 'The file has rows that cannot be asked',
    help: 'The file is looked at whole before anybody is asked, and nothing was kept. `errors` names each fault by its row, counted from 1 behind the row of names, and its column. Its first row names the columns: `email`, `name`, and values of the template such as `party.name`; it has up to 1 000 more, of up to 200 columns and 64 KiB each, and what `data` says for all of them has up to 4 MiB as often as there are rows.',
  },
  batch_source_not_found: {
    status: 422,
    title: 'Source of the batch not found',
    help: 'Give exactly one of `templateId`, a template that you may use, and `documentId`, a document with a file that you may share.',
  },
  batch_outside_barrier: {
    status: 422,
    title: 'The copies would leave the barrier',
    help: 'A barrier protects the document, and its copies must stay in it. Set `folderId` to a folder in the same barrier.',
  },
  batch_ended: {
    status: 409,
    title: 'The batch has ended',
    help: 'No rows are left to cancel. Void sent requests one by one.',
  },
});

/** Errors: 422 `batch_outside_barrier`. */
export const outsideBarrier = () =>
  batchProblems.batch_outside_barrier('The document stands behind a barrier: name a folder behind the same barrier as `folderId`.', {
    errors: [{ name: 'folderId', pointer: '/folderId', reason: 'must lie behind the barrier of the document', rule: 'barrier' }],
  });
