/** Seals PDFs: makes of an upload what signers are shown, and of what they did a file with a signature over all of it. */
import type { proofsFrom as openProofs } from './collect-validation-data.ts';
import type { CollectValidationData } from './validation-data.ts';
import type { Timestamps, timestampsFrom as openTimestamps } from './timestamps.ts';

export { openSealing } from './open-sealing.ts';
export { ownSigner, pkcs12Signer } from './signers.ts';
export * from './pdf-sealer.ts';

/** See {@link openTimestamps}; loaded with the first timestamp. */
export function timestampsFrom(...parts: Parameters<typeof openTimestamps>): Timestamps {
  return atFirstUse(async () => (await import('./timestamps.ts')).timestampsFrom(...parts));
}

/** See {@link openProofs}; loaded with the first proof. */
export function proofsFrom(...parts: Parameters<typeof openProofs>): CollectValidationData {
  return atFirstUse(async () => (await import('./collect-validation-data.ts')).proofsFrom(...parts));
}

/** What reads and writes ASN.1 takes 10 MB of memory, which few processes need. */
function atFirstUse<Params extends unknown[], Result>(
  load: () => Promise<(...params: Params) => Promise<Result>>,
): (...params: Params) => Promise<Result> {
  let loaded: ReturnType<typeof load> | undefined;
  return async (...params) => (await (loaded ??= load()))(...params);
}
