import type { Readable } from 'node:stream';

/** Why a file cannot be sealed; {@link Unsealable} says it in a sentence for the person who sent it. */
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

/** A file that will not be sealed, however often it is tried. `message` is a sentence for people. */
export class Unsealable extends Error {
  readonly reason: UnsealableReason;
  constructor(reason: UnsealableReason, message: string) {
    super(message);
    this.name = 'Unsealable';
    this.reason = reason;
  }
}

/** What is sealed has at most so many bytes: with its seal it can still be verified here. */
export const maxPdfBytes = 24 * 1024 * 1024;
export const maxPages = 2_000;

/** What was done to the file before it could be presented; it belongs into the evidence. */
export type PreparationFinding = 'owner_password_removed' | 'repaired' | 'flattened' | 'signed_before';

/**
 * How the seal is put on. `append`: pages and signature stand behind `presented`, which stays their exact prefix. `separate`: the file was
 * signed by others before, so it is left as it is and attached to a certificate of its own, which is sealed.
 */
export type Manner = 'append' | 'separate';

/** A page as readers show it, turned where it says so, in points (1/72 inch). */
export type Page = { width: number; height: number };

/** A place on a page: points from the left and from the top of the page as it is shown; `page` counts from 1. */
export type PageRectangle = { page: number; x: number; y: number; width: number; height: number };

export type PreparedPdf = {
  /** What every signer is shown and what is sealed. */
  presented: Buffer;
  /** Its SHA-256 in lower-case hexadecimal. */
  sha256: string;
  pages: Page[];
  findings: PreparationFinding[];
  manner: Manner;
};

export type FieldKind = 'signature' | 'initials' | 'name' | 'date' | 'text' | 'checkbox';

/** A field with what its signer put there: a drawn signature as PNG, text (a typed signature, a name, a date as it is to be read), or a tick. */
export type FilledField = PageRectangle & { kind: FieldKind; value: { png: Uint8Array } | { text: string } | { checked: boolean } };

/** What the certificate page says of one who signed or approved. No address of a network and no program of theirs stands there. */
export type EvidenceSigner = {
  /** As they were invited. */
  name: string;
  /** As they typed it, where that differs. */
  typedName?: string;
  email?: string;
  role: 'signer' | 'approver';
  /** How the service knew them: by the link alone, by a code sent to their mailbox besides, or signed in with their account. */
  known: 'link' | 'code' | 'account';
  /** How they signed. */
  how: 'drawn' | 'typed' | 'confirmed';
  signedAt: Date;
  /** Whether a field on the pages shows that they signed. The certificate has a line for a signer without one. */
  hasField: boolean;
  /** SHA-256 (hexadecimal) of the JWS that is the evidence of this act. */
  evidenceSha256: string;
  /** Who was to sign and passed it on. */
  delegatedBy?: string;
};

/** What the certificate page is made of. */
export type Evidence = {
  /** The language that the certificate is written in: en, de, ar or ja. */
  language: string;
  requestId: string;
  documentName: string;
  teamName: string;
  requestedBy: string;
  requestedAt: Date;
  completedAt: Date;
  /** SHA-256 (hexadecimal) of the upload as it came, where `presented` is another file. */
  originalSha256?: string;
  signers: EvidenceSigner[];
  /** Further lines of the history, in the order of time; `name` is whose act it was, or whom it was about. */
  history: { at: Date; act: 'viewed' | 'signed' | 'delegated' | 'corrected'; name?: string }[];
  /** Where anybody checks the file, such as https://chancery.example/verify. */
  verifyUrl?: string;
};

export type SealOrder = {
  presented: Buffer;
  manner: Manner;
  findings: PreparationFinding[];
  /** As `prepare` answered them. */
  pages: Page[];
  fields: FilledField[];
  evidence: Evidence;
};

/** How far the signature goes: B-B, B-T with a timestamp of an authority, B-LT with what proves the certificates later. */
export type SealLevel = 'B-B' | 'B-T' | 'B-LT';

export type Sealed = {
  sealed: Buffer;
  /** SHA-256 (hexadecimal) of the sealed file. */
  sha256: string;
  level: SealLevel;
  /** What the timestamp authority says, where there is one. */
  timestampedAt?: Date;
};

/** The steps of sealing, as a request shows them while it waits. */
export type SealStep = 'certificate' | 'compose' | 'sign' | 'timestamp' | 'validation' | 'verify';

/** A seal that did not come about this time. `message` names no secret; another try may do, such as when a timestamp authority was away. */
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
   * Makes of an upload the file that signers are shown. `fields` are those that will be filled, to be looked at now.
   * Rejects with {@link Unsealable}; with another error where a further try may do.
   */
  prepare(open: () => Promise<Readable>, asked: { fields: readonly PageRectangle[] }, signal?: AbortSignal): Promise<PreparedPdf>;
  /** Draws the fields, adds the certificate page, signs and looks at its own work. Rejects with {@link SealFailed} and {@link Unsealable}. */
  seal(order: SealOrder, signal?: AbortSignal): Promise<Sealed>;
};

/**
 * What signs: a key of the database, of a PKCS#12 file, or one that lies elsewhere, such as in a KMS. Certificates as DER, the chain from the
 * issuer upwards. `sign` gets the bytes to sign (the signed attributes), which whoever holds the key hashes by `digest`.
 */
export type SealSigner = {
  certificate: Uint8Array;
  chain: Uint8Array[];
  algorithm: 'ecdsa' | 'rsa';
  digest: 'sha256' | 'sha384' | 'sha512';
  sign(bytes: Uint8Array): Promise<Uint8Array>;
};
