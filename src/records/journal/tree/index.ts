/** The journal as a Merkle tree: leaves, tiles, checkpoints and proofs (RFC 9162, C2SP tlog-tiles). */
export { type WitnessKeys, logVerifierKeys, logVerifiers } from './checkpoint.ts';
export { tlogRoutes } from './routes.ts';
export { readTree } from './queries.ts';
