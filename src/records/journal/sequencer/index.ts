/** The worker that adds entries to the tree, signs checkpoints and requests cosignatures. */
export { eraseOldAddresses, deleteSurplusCheckpoints } from './jobs.ts';
export { Sequencer } from './sequencer.ts';
export { parseWitnesses } from './witness.ts';
