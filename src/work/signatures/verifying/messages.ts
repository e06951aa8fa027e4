/**
 * A revoked certificate: issuer and serial number as OpenSSL writes them, and the time of revocation in milliseconds. A hash would not be sufficient.
 * From an ECDSA signature anyone can derive a second valid one, and then the hash of the certificate differs.
 */
export type Revoked = { issuer: string; serialNumber: string; at: number };

/** Request to the verification process: trusted certificates (PEM), revoked certificates and the current time in milliseconds. */
export type VerifyRequest = { trusted: string; revoked?: readonly Revoked[]; now: number };

/** Whether the file is unchanged since it was signed. */
export type SignatureStatus = 'valid' | 'modified' | 'unknown' | 'invalid';

/** The reason if the status is not `valid`. */
export type Reason =
  | 'not_a_pdf'
  | 'unsigned'
  | 'too_many_signatures'
  | 'content_changed'
  | 'added_after_signing'
  | 'broken_signature'
  | 'not_understood'
  | 'weak_algorithm'
  | 'expired'
  | 'revoked'
  | 'untrusted';

/** The verdict on one signature. `signedAt` is the signer's claim unless a timestamp confirms it. */
export type Signature = {
  status: SignatureStatus;
  reason?: Reason;
  kind: 'signature' | 'timestamp';
  covers: 'whole' | 'part';
  name?: string;
  issuer?: string;
  signedAt?: string;
};

/** The content of the file after the last signed range. */
export type Added = { bytes: number; objects: number; types: string[] };

export type Verdict = { status: SignatureStatus; reason?: Reason; signatures: Signature[]; added?: Added };
