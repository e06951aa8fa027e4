import type { Manuscript } from '../../platform/typesetting/typesetter.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Verification } from './answers-document.ts';
import type { About } from './queries.ts';

/** An issued document. `sha256` is in hexadecimal, `size` in bytes. */
export type Issued = { id: string; sha256: string; size: number; pages: number; issuedAt: Date };

/** A kind of document, registered by the domain of its source when that domain is opened. All functions run as the system and read current data. */
export type IssuedDocumentKind = {
  kind: string;
  /** Returns the template and data with the verification code; undefined if the source was deleted; the document is then withdrawn. */
  manuscript(scope: ReadScope, about: string, verification: Verification): Promise<Manuscript | undefined>;
  /** Called when the document is ready, in the same transaction, after it has locked the row of the document (docs/internals/locks.md). */
  issued?(scope: Scope, about: string, issued: Issued): Promise<void>;
  /** Called after the third failed attempt, in the transaction that records the failure. */
  failed?(scope: Scope, about: string): Promise<void>;
};

export type Kinds = ReadonlyMap<string, IssuedDocumentKind>;

/** Returns the kind of a row. Throws if no domain of this version has it. */
export function kindOf(kinds: Kinds, { kind }: Pick<About, 'kind'>): IssuedDocumentKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`no domain issues documents of the kind ${kind}`);
  return found;
}
