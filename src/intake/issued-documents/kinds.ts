import type { Manuscript } from '../../platform/typesetting/typesetter.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Verification } from './answers-document.ts';
import type { About } from './queries.ts';

/** A document that was made. `sha256` in hexadecimal, `size` in bytes. */
export type Issued = { id: string; sha256: string; size: number; pages: number; issuedAt: Date };

/** Whom to tell that a document could not be made, and how it is called. */
export type FailureRecipient = { email: string; locale: string; title: string };

/**
 * A kind of document, by the domain that has what it is made of. Domains that use this one say so when they are opened. All of
 * these look at what is there when they are called, as the system.
 */
export type IssuedDocumentKind = {
  kind: string;
  /** What is to be set, with the code that it carries. Nothing when the thing is gone: the document is withdrawn then. */
  manuscript(scope: ReadScope, about: string, verification: Verification): Promise<Manuscript | undefined>;
  /** Hears that it is ready, in the transaction that makes it so, which holds the document's row: see docs/internals/locks.md. */
  issued?(scope: Scope, about: string, issued: Issued): Promise<void>;
  /** Says whom to tell that it has failed three times; nobody if nothing comes. */
  failed?(scope: Scope, about: string): Promise<FailureRecipient | undefined>;
};

export type Kinds = ReadonlyMap<string, IssuedDocumentKind>;

/** The kind of a row. Throws for one that no domain of this version knows. */
export function kindOf(kinds: Kinds, { kind }: Pick<About, 'kind'>): IssuedDocumentKind {
  const found = kinds.get(kind);
  if (!found) throw new Error(`no domain issues documents of the kind ${kind}`);
  return found;
}
