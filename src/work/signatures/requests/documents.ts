import type { Manner, PageSize, PreparationFinding } from '../sealing/index.ts';

/** A document of a request. `presentedKey` and what follows it are null until the file is prepared; `sealed…` until the request is completed. */
export type RequestDocument = {
  /** The position in the request. It stays when another document is deleted. */
  place: number;
  id: string;
  version: number;
  sha256: string;
  title: string;
  /** The signers who sign it, and the signers and copy recipients who see it; null: all. */
  signedBy: string[] | null;
  visibleTo: string[] | null;
  presentedKey: string | null;
  presentedSha256: string | null;
  presentedSize: number | null;
  pages: PageSize[] | null;
  manner: Manner | null;
  findings: PreparationFinding[];
  sealedVersion: number | null;
  sealedSha256: string | null;
  sealedAt: string | null;
};

/** Who signs and who sees a document. */
export type Audience = Pick<RequestDocument, 'signedBy' | 'visibleTo'>;

/** Returns the documents that a signer or copy recipient sees. */
export const seenBy = <D extends Audience>(documents: readonly D[], signer: string): D[] =>
  documents.filter(({ visibleTo }) => visibleTo === null || visibleTo.includes(signer));

/** Whether a signer signs a document. Without `signedBy`, all who see it sign it. */
export const isSignedBy = ({ signedBy, visibleTo }: Audience, { id, role }: { id: string; role: string }): boolean =>
  role !== 'copy' && (signedBy ?? visibleTo)?.includes(id) !== false;

/** Returns the title of some documents: that of the first, with the number of the others. */
export function titleOf([first, ...others]: readonly { title: string }[]): string {
  const title = first?.title ?? '';
  return others.length === 0 ? title : `${title} (+${others.length})`;
}

/** Returns the first document of a request. */
export function firstOf<D>(documents: readonly D[]): D {
  const [first] = documents;
  if (first === undefined) throw new Error('A signature request has no documents.');
  return first;
}
