import type { ReadScope, Scope } from '../../../platform/scope.ts';
import type { StoredFile } from '../../../platform/storage/storage.ts';

/** A version of a document template. */
export type TemplateVersion = { id: string; version: number };

/** A rendered document. `places` are its signature fields, which only the templates interpret. */
export type Rendered = { pdf: Uint8Array; places: readonly unknown[] };

/** A document to create from a rendered file. */
export type NewDocument = {
  template: TemplateVersion;
  file: StoredFile;
  places: readonly unknown[];
  title: string;
  folderId: string | null;
  submissionId: string;
};

/** The use cases of document templates for outputs. Their domain passes them at the start. */
export type TemplatesForForms = {
  /** Returns the newest version of a template that the actor may use. `signers`: the signers of its signature fields; null if unknown. Errors: 404. */
  read: (
    scope: ReadScope | Scope,
    id: string,
  ) => Promise<TemplateVersion & { name: string; schema: Record<string, unknown>; signers: readonly string[] | null }>;
  /** Locks a template against deletion until the transaction ends. Returns false if it does not exist. */
  hold: (scope: Scope, id: string) => Promise<boolean>;
  /** Validates values against a schema outside of this process. Errors: 422 `document_limit_exceeded`, 429. */
  compare: (
    team: string,
    schema: Record<string, unknown>,
    values: readonly unknown[],
  ) => Promise<{ at: number; pointer: string; reason: string }[]>;
  /** Renders a document that the actor may create. Errors: 404, 422, 429. */
  render: (scope: ReadScope, template: TemplateVersion, data: Record<string, unknown>) => Promise<Rendered>;
  /** Creates the document of a rendered file, and returns its id. Errors: 404, 422. */
  create: (scope: Scope, document: NewDocument) => Promise<string>;
};

/** The templates, once their domain has started. */
export class TemplatesPort {
  #templates: TemplatesForForms | undefined;

  use(templates: TemplatesForForms): void {
    this.#templates = templates;
  }

  get templates(): TemplatesForForms {
    if (!this.#templates) throw new Error('the document templates have not started');
    return this.#templates;
  }
}
