/** What proves later that certificates were good: they themselves, revocation lists and answers of OCSP, as DER. */
export type ValidationData = { certificates: Uint8Array[]; lists: Uint8Array[]; answers: Uint8Array[] };
/** Collects that, where it can be had, of a chain, from the signer upwards, and of the certificates in a timestamp. */
export type CollectValidationData = (chain: readonly Uint8Array[], timestamp: Uint8Array) => Promise<ValidationData | undefined>;
