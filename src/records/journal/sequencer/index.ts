/** The worker that makes leaves of entries, signs checkpoints and has them witnessed. */
export { eraseOldAddresses, thinCheckpoints } from './jobs.ts';
export { Sequencer } from './sequencer.ts';
export { parseWitnesses } from './witness.ts';
