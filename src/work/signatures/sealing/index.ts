/** Seals PDFs: converts an upload to the file that signers see, and adds fields, certificate and signature after signing. */
import type { proofsFrom as openProofs } from './collect-validation-data.ts';
import type { CollectValidationData } from './validation-data.ts';
import type { Timestamps, timestampsFrom as openTimestamps } from './timestamps.ts';

export { openSealing } from './open-sealing.ts';
export { ownSigner, pkcs12Signer } from './signers.ts';
export * from './pdf-sealer.ts';

/** See {@link openTimestamps}. Loads the module with the first timestamp. */
export function timestampsFrom(...parts: Parameters<typeof openTimestamps>): Timestamps {
  return atFirstUse(async () => (await import('./timestamps.ts')).timestampsFrom(...parts));
}

/** See {@link openProofs}. Loads the module with the first validation data. */
export function proofsFrom(...parts: Parameters<typeof openProofs>): CollectValidationData {
  return atFirstUse(async () => (await import('./collect-validation-data.ts')).proofsFrom(...parts));
}

/** Loads the ASN.1 modules on first use. They need 10 MB of memory, and few processes need them. */
function atFirstUse<Params extends unknown[], Result>(
  load: () => Promise<(...params: Params) => Promise<Result>>,
): (...params: Params) => Promise<Result> {
  let loaded: ReturnType<typeof load> | undefined;
  return async (...params) => (await (loaded ??= load()))(...params);
}
