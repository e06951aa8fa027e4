/**
 * A revoked certificate, by its issuer and number as OpenSSL writes them, and since when in milliseconds. Not by its hash: whoever has an
 * ECDSA signature makes another of it that holds as well, so a certificate has several.
 */
export type Revoked = { issuer: string; serialNumber: string; at: number };

/** What the process that looks at a file is told: certificates (PEM) that are trusted, those that were taken back, and the time in milliseconds. */
export type VerifyRequest = { trusted: string; revoked?: readonly Revoked[]; now: number };

/** Whether a file is as it was signed. */
export type Status = 'valid' | 'modified' | 'unknown' | 'invalid';

/** Why it is not `valid`. */
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

/** What is known of one signature. `signedAt` is what its maker says; nobody else vouches for it. */
export type Signature = {
  status: Status;
  reason?: Reason;
  kind: 'signature' | 'timestamp';
  covers: 'whole' | 'part';
  name?: string;
  issuer?: string;
  signedAt?: string;
};

/** What stands in the file behind the last thing that was signed. */
export type Added = { bytes: number; objects: number; types: string[] };

export type Verdict = { status: Status; reason?: Reason; signatures: Signature[]; added?: Added };
