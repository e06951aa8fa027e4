import type { Readable } from 'node:stream';

/** Reasons why a file cannot be sealed. The message of {@link Unsealable} explains the reason to the uploader. */
export type UnsealableReason =
  | 'not_a_pdf'
  | 'broken'
  | 'no_pages'
  | 'password'
  | 'xfa'
  | 'active_content'
  | 'too_large'
  | 'too_many_pages'
  | 'fields_not_possible'
  | 'field_outside_page'
  | 'field_not_visible'
  | 'form_value_not_shown'
  | 'limit';

/** Thrown for a file that cannot be sealed. A retry does not help. `message` is a sentence for users. */
export class Unsealable extends Error {
  readonly reason: UnsealableReason;
  constructor(reason: UnsealableReason, message: string) {
    super(message);
    this.name = 'Unsealable';
    this.reason = reason;
  }
}

/** Maximum size of the presented file, in bytes. With its seal, the file must stay below the maximum size of a file to verify. */
export const maxPdfBytes = 24 * 1024 * 1024;
export const maxPages = 2_000;

/** Changes made to the file before it was presented. They are part of the evidence. */
export type PreparationFinding = 'owner_password_removed' | 'repaired' | 'flattened' | 'signed_before';

/**
 * How the seal is added. `append`: pages and signature are appended to `presented`, whose bytes stay unchanged. `separate`: a file that already had
 * signatures stays unchanged and is attached to a sealed certificate.
 */
export type Manner = 'append' | 'separate';

/** The size of a page as displayed, including its rotation, in points (1/72 inch). */
export type PageSize = { width: number; height: number };

/** A rectangle on a page, in points from the left and the top of the displayed page. `page` starts at 1. */
export type PageRectangle = { page: number; x: number; y: number; width: number; height: number };

export type PreparedPdf = {
  /** The file that every signer sees and that is sealed. */
  presented: Buffer;
  /** SHA-256 of `presented`, in lowercase hexadecimal. */
  sha256: string;
  pages: PageSize[];
  findings: PreparationFinding[];
  manner: Manner;
};

export type FieldKind = 'signature' | 'initials' | 'name' | 'date' | 'text' | 'checkbox';

/** A field with its value: a drawn signature as PNG, text (a typed signature, a name or a formatted date), or a checkbox state. */
export type FilledField = PageRectangle & { kind: FieldKind; value: { png: Uint8Array } | { text: string } | { checked: boolean } };

/** A signer or approver on the certificate page. Has no network address and no browser. */
export type EvidenceSigner = {
  /** Name in the request. */
  name: string;
  /** Name that the signer typed, if it differs from `name`. */
  typedName?: string;
  email?: string;
  role: 'signer' | 'approver';
  /** How the service identified the signer: by the link, by the link and an emailed code, or by a sign-in to their account. */
  known: 'link' | 'code' | 'account';
  how: 'drawn' | 'typed' | 'confirmed';
  signedAt: Date;
  /** Language of the consent text that the signer agreed to: en, de, ar or ja. */
  consentLanguage: string;
  /** Whether a field on the pages shows the signature. Otherwise the certificate has a signature line. */
  hasField: boolean;
  /** SHA-256 (hexadecimal) of the JWS with the evidence of this signature. */
  evidenceSha256: string;
  /** The person who delegated the request to the signer. */
  delegatedBy?: string;
};

/** The content of the certificate page. */
export type Evidence = {
  /** Language of the certificate: en, de, ar or ja. */
  language: string;
  requestId: string;
  documentName: string;
  teamName: string;
  requestedBy: string;
  requestedAt: Date;
  completedAt: Date;
  /** SHA-256 (hexadecimal) of the original upload, if `presented` is a different file. */
  originalSha256?: string;
  signers: EvidenceSigner[];
  /** History entries in chronological order. `name` is the actor or the person concerned. */
  history: { at: Date; act: 'viewed' | 'signed' | 'delegated' | 'corrected'; name?: string }[];
  /** Address where anyone can verify the file, for example https://chancery.example/verify. */
  verifyUrl?: string;
};

export type SealOrder = {
  presented: Buffer;
  manner: Manner;
  findings: PreparationFinding[];
  /** Page sizes from `prepare`. */
  pages: PageSize[];
  fields: FilledField[];
  evidence: Evidence;
};

/** The PAdES level: B-B (signature), B-T (with a timestamp), B-LT (with timestamp and validation data). */
export type SealLevel = 'B-B' | 'B-T' | 'B-LT';

export type Sealed = {
  sealed: Buffer;
  /** SHA-256 (hexadecimal) of the sealed file. */
  sha256: string;
  level: SealLevel;
  /** The time from the timestamp authority, if configured. */
  timestampedAt?: Date;
};

/** The steps of sealing. The API shows the current step of a pending request. */
export type SealStep = 'certificate' | 'compose' | 'sign' | 'timestamp' | 'validation' | 'verify';

/**
 * Thrown if an attempt to seal failed, for example because the timestamp authority was unavailable. Another attempt can succeed. `message` contains
 * no secrets.
 */
export class SealFailed extends Error {
  readonly step: SealStep;
  constructor(step: SealStep, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SealFailed';
    this.step = step;
  }
}

export type Sealing = {
  /**
   * Converts an upload to the file that signers see. Checks that the rectangles of `fields` are usable. Rejects with {@link Unsealable}, or with
   * another error if a retry can succeed.
   */
  prepare(open: () => Promise<Readable>, asked: { fields: readonly PageRectangle[] }, signal?: AbortSignal): Promise<PreparedPdf>;
  /** Draws the fields, adds the certificate page, signs the file and verifies the result. Rejects with {@link SealFailed} or {@link Unsealable}. */
  seal(order: SealOrder, signal?: AbortSignal): Promise<Sealed>;
};

/**
 * Signs with a key from the database, a PKCS#12 file or another store such as a KMS. Certificates are in DER form, and the chain starts with the
 * issuer. `sign` receives the signed attributes and hashes them with `digest`.
 */
export type SealSigner = {
  certificate: Uint8Array;
  chain: Uint8Array[];
  algorithm: 'ecdsa' | 'rsa';
  digest: 'sha256' | 'sha384' | 'sha512';
  sign(bytes: Uint8Array): Promise<Uint8Array>;
};
