import { defineProblems } from '../../platform/problems.ts';

export const auditProblems = defineProblems({
  checkpoint_missing: {
    status: 404,
    title: 'No checkpoint has been signed yet',
    help: 'The journal’s tree gets its first checkpoint from a worker, within a second of its start. See that a worker runs (`serve --role worker`, or `all`), then ask again.',
  },
  entry_not_integrated: {
    status: 409,
    title: 'The entry is not in the tree yet',
    help: 'Entries become leaves of the journal’s tree within about a second. Ask again after as many seconds as `Retry-After` says.',
  },
  tree_size_out_of_range: {
    status: 422,
    title: 'The tree has no such size',
    help: 'A consistency proof leads from a smaller size to a larger or the same one, neither beyond the published checkpoint. Read the checkpoint and choose sizes within it.',
  },
});
