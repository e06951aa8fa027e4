/** Seals PDFs: makes of an upload what signers are shown, and of what they did a file with a signature over all of it. */
export { openSealing } from './open-sealing.ts';
export { timestampsFrom } from './timestamps.ts';
export * from './port.ts';
