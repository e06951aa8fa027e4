/** Validation data: proof that certificates were valid. It has the certificates, revocation lists and OCSP responses, in DER form. */
export type ValidationData = { certificates: Uint8Array[]; lists: Uint8Array[]; answers: Uint8Array[] };
/** Collects validation data for a chain, starting at the signer, and for the certificates in a timestamp. Returns undefined if there is none. */
export type CollectValidationData = (chain: readonly Uint8Array[], timestamp: Uint8Array) => Promise<ValidationData | undefined>;
