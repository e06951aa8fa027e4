/** Seals PDFs: makes of an upload what signers are shown, and of what they did a file with a signature over all of it. */
export { proofsFrom } from './collect-proofs.ts';
export { openSealing } from './open-sealing.ts';
export { ownSigner, pkcs12Signer } from './signers.ts';
export { timestampsFrom } from './timestamps.ts';
export * from './port.ts';
