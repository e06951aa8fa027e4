import type { Readable } from 'node:stream';

/** What was done to a file before it could be presented; it belongs into the evidence. */
export type Finding = string;
/** How the seal is put on: see the engine. */
export type Manner = 'append' | 'separate';
/** A page as readers show it, in points. */
export type Page = { width: number; height: number };
/** A place on a page: points from the left and from the top of the page as it is shown; `page` counts from 1. */
export type Place = { page: number; x: number; y: number; width: number; height: number };
export type Prepared = { presented: Buffer; sha256: string; pages: Page[]; findings: Finding[]; manner: Manner };

export const fieldKinds = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const;
export type FieldKind = (typeof fieldKinds)[number];
/** A field with what its signer put there. */
export type FilledField = Place & { kind: FieldKind; value: { png: Uint8Array } | { text: string } | { checked: boolean } };

/** What the certificate page says of one who signed or approved. */
export type EvidenceSigner = {
  name: string;
  typedName?: string;
  email?: string;
  role: 'signer' | 'approver';
  known: 'link' | 'code' | 'account';
  how: 'drawn' | 'typed' | 'confirmed';
  signedAt: Date;
  evidenceSha256: string;
  delegatedBy?: string;
};
/** What the certificate page is made of. */
export type Evidence = {
  requestId: string;
  documentName: string;
  teamName: string;
  requestedBy: string;
  requestedAt: Date;
  completedAt: Date;
  originalSha256?: string;
  signers: EvidenceSigner[];
  history: { at: Date; what: string }[];
  verifyUrl?: string;
};
export type SealOrder = { presented: Buffer; manner: Manner; findings: Finding[]; fields: FilledField[]; evidence: Evidence };
export type Sealed = { sealed: Buffer; sha256: string; level: 'B-B' | 'B-T' | 'B-LT'; timestampedAt?: Date };

/** What makes the file that signers are shown, and seals it. The domain's engine of PDF. */
export type SealingEngine = {
  prepare(open: () => Promise<Readable>, asked: { fields: readonly Place[] }, signal?: AbortSignal): Promise<Prepared>;
  seal(order: SealOrder, signal?: AbortSignal): Promise<Sealed>;
};
