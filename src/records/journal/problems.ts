import { defineProblems } from '../../platform/problems.ts';

export const auditProblems = defineProblems({
  checkpoint_missing: {
    status: 404,
    title: 'No signed checkpoint yet',
    help: 'A worker signs the first checkpoint of the journal’s tree within a second of its start. Check that a worker runs (`serve --role worker` or `all`), then send the request again.',
  },
  entry_not_integrated: {
    status: 409,
    title: 'The entry is not in the tree yet',
    help: 'An entry becomes a leaf of the journal’s tree within about a second. Send the request again after the number of seconds in `Retry-After`.',
  },
  tree_size_out_of_range: {
    status: 422,
    title: 'Tree size out of range',
    help: 'A consistency proof leads from one tree size to the same or a larger size. Neither may exceed the size of the published checkpoint. Read the checkpoint and choose sizes within it.',
  },
});
