import { documentReadableBy, documentToOpen, type ReferredDocument } from '#documents';
import { requireInside, type TaskDocument, taskProblems } from '#tasks';
import { nearestName } from '../../platform/http/known-members.ts';
import { type FieldError, fieldError, problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { asksRound } from './approval-config.ts';
import { documentsOfWorkflow as namedDocuments } from './document-queries.ts';
import { workflowProblems } from './problems.ts';
import type { DocumentRow, WorkflowRow } from './queries.ts';
import { nameOfMade } from './making.ts';
import { maxDocuments, type NamedDocument } from './schemas.ts';
import { type ConfiguredStep, stepsBefore } from './steps.ts';

/** The name of a document that is given without one. */
export const defaultName = 'document';

type DocumentsInput = { documentId?: string | undefined; documents?: readonly NamedDocument[] | undefined };

/**
 * Returns the documents of a request by name: `documents`, or `documentId` under the default name. Errors: 400 without a document, 422
 * `workflow_documents_invalid`.
 */
export function givenDocuments({ documentId, documents }: DocumentsInput): readonly NamedDocument[] {
  if (documents === undefined) {
    if (documentId === undefined)
      throw problems.validation_failed('Give the document as `documentId`, or several as `documents`.', {
        errors: [fieldError('/documentId', 'is required', 'required')],
      });
    return [{ name: defaultName, documentId }];
  }
  const sameAs = (id: string) => (other: NamedDocument) => other.documentId.toLowerCase() === id.toLowerCase();
  const errors: FieldError[] = documents.flatMap(({ name, documentId: id }, at) => [
    ...(documents.findIndex((other) => other.name === name) < at ? [fieldError(`/documents/${at}/name`, 'must be unique', 'unique')] : []),
    ...(documents.findIndex(sameAs(id)) < at
      ? [fieldError(`/documents/${at}/documentId`, 'is in the list already: give each document once', 'unique')]
      : []),
  ]);
  if (documentId !== undefined && documents.findIndex(sameAs(documentId)) !== 0)
    errors.push(fieldError('/documentId', 'must be the first of `documents`, or absent', 'oneOf'));
  const [first] = errors;
  if (first) throw workflowProblems.workflow_documents_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
  return documents;
}

/** A document as a draft refers to it. `linked`: the document, if it is one of the team that the actor may share. */
export type DocumentLink = Omit<DocumentRow, 'leads'> & { linked?: ReferredDocument };

/** Links documents with the rights of the actor. Errors: 403 `document_access_denied`. */
export async function linkDocuments(scope: Scope, named: readonly NamedDocument[]): Promise<DocumentLink[]> {
  const links: DocumentLink[] = [];
  for (const { name, documentId } of named) {
    const linked = await documentToOpen(scope, documentId);
    links.push({
      name,
      document_id: linked?.id ?? documentId,
      linked_document_id: linked?.id ?? null,
      linked_by: scope.actor.type === 'system' ? null : scope.actor.id,
      about_document_id: linked?.id ?? null,
      ...(linked === undefined ? {} : { linked }),
    });
  }
  return links;
}

/**
 * Requires that the documents of a workflow are in its matter, or in none. So the member who closes a matter sees all
 * work about its documents. Errors: 422 `matter_of_document`.
 */
export function requireOneMatter(links: readonly DocumentLink[], matter: string | null): void {
  const other = links.find(({ linked }) => linked !== undefined && linked.matterId !== null && linked.matterId !== matter);
  if (other === undefined) return;
  throw taskProblems.matter_of_document(
    `The document “${other.name}” is not in the matter of the workflow. Use documents of one matter, with the one that decides the matter first.`,
  );
}

/** Requires that no barrier around a document excludes people. Errors: 422 `outside_barrier`. */
export async function requireInsideAll(scope: Scope, links: readonly DocumentLink[], people: readonly string[]): Promise<void> {
  for (const { linked } of links) if (linked?.barred) await requireInside(scope, linked.id, people);
}

/** Returns the rows of documents as JSON for `insertDocuments`. */
export const documentRows = (documents: readonly Omit<DocumentRow, 'leads'>[]): string =>
  JSON.stringify(
    documents.map(({ name, document_id, linked_document_id, linked_by, about_document_id }, position) => ({
      name,
      position,
      document_id,
      linked_document_id,
      linked_by,
      about_document_id,
    })),
  );

/**
 * The columns of a workflow about its first document. The barriers of a workflow with several documents are stored under
 * the identifier of the workflow, and each of them hides it.
 */
export function linkOfFirst(
  id: string,
  documents: readonly DocumentRow[],
): Pick<WorkflowRow, 'document_id' | 'linked_document_id' | 'linked_by' | 'about_document_id'> {
  const [first] = documents;
  if (!first) throw new Error('the workflow has no document');
  const { document_id, linked_document_id, linked_by, about_document_id: about } = first;
  return { document_id, linked_document_id, linked_by, about_document_id: documents.length > 1 ? id : about };
}

type Configured = { config: Readonly<Record<string, unknown>> };

/** Returns the document of a step: the one that it names first, or the first of the workflow. */
export function documentOfStep({ documents }: Pick<WorkflowRow, 'documents'>, { config }: Configured): DocumentRow | undefined {
  if (asksRound({ config }) && Array.isArray(config.documents)) return namedIn(documents, config.documents)[0];
  return config.document === undefined ? documents[0] : namedIn(documents, [config.document])[0];
}

/** Returns the documents with these names, in the order of the names. A name without a document is omitted. */
const namedIn = (documents: readonly DocumentRow[], names: readonly unknown[]): DocumentRow[] =>
  names.flatMap((named) => documents.find(({ name }) => name === named) ?? []);

type WithSteps = { documents: readonly DocumentRow[]; steps: readonly NamingStep[] };

/**
 * Returns the documents of a step: a signature step or an approval round can be about several. A round that names none is about all documents of the
 * workflow, without those that later steps make. A name without a document is omitted.
 */
export function documentsOfStep({ documents, steps }: WithSteps, step: NamingStep): DocumentRow[] {
  const { document, documents: names } = step.config;
  if (Array.isArray(names)) return namedIn(documents, names);
  if (document !== undefined || !asksRound(step)) return [documentOfStep({ documents: [...documents] }, step) ?? []].flat();
  const before = stepsBefore(steps)(step.id);
  const later = new Set(steps.flatMap((one) => (before.has(one.id) ? [] : (nameOfMade(one) ?? []))));
  return documents.filter(({ name }) => !later.has(name));
}

/**
 * Returns whether the documents of a step exist. A condition of the form, or of a `document` step, can omit some of
 * them. A step about several documents then continues without them. `omitted`: no document is left.
 */
export function documentsFor(row: WorkflowRow, { config }: Configured): 'present' | 'omitted' | 'missing' {
  const { document, documents: several } = config;
  const named: unknown[] = Array.isArray(several) ? several : document === undefined ? [] : [document];
  const absent = named.filter((one) => !row.documents.some(({ name }) => name === one));
  if (absent.length === 0) return 'present';
  const skipped = row.steps.filter(({ status, started_at: begun }) => status === 'skipped' && begun === null);
  const omitted: unknown[] = [...row.omitted_documents, ...skipped.map(nameOfMade)];
  if (!absent.every((one) => omitted.includes(one))) return 'missing';
  return absent.length === named.length ? 'omitted' : 'present';
}

/** Whether a step is about a document of the team. */
export const isAbout = (row: WithSteps, step: NamingStep, document: string): boolean =>
  documentsOfStep(row, step).some(({ linked_document_id: id }) => id === document);

type NamingStep = ConfiguredStep & { id: string; depends_on: readonly string[] };

/**
 * Requires that steps name documents of the workflow, or documents of `document` steps before them. Errors: 422 `workflow_steps_invalid` with the
 * nearest name.
 */
export function requireNamedDocuments(steps: readonly NamingStep[], documents: readonly { name: string }[]): void {
  const names = documents.map(({ name }) => name);
  const madeBy = new Map(steps.flatMap((step) => (nameOfMade(step) === undefined ? [] : [[step.id, nameOfMade(step) ?? ''] as const])));
  const taken = new Set<string>();
  const unknown = (named: unknown, usable: readonly string[], pointer: string): FieldError[] => {
    if (typeof named !== 'string' || usable.includes(named)) return [];
    const nearest = nearestName(named, usable);
    const hint = nearest === undefined ? `use one of ${usable.join(', ')}` : `did you mean \`${nearest}\`?`;
    return [fieldError(pointer, `does not name a document of the workflow: ${hint}`, 'document')];
  };
  const before = stepsBefore(steps);
  const errors = steps.flatMap((step, at) => {
    const { document, documents: several } = step.config;
    const made = madeBy.get(step.id);
    const isUsed = made !== undefined && (names.includes(made) || taken.has(made));
    if (made !== undefined) taken.add(made);
    const usable = [...names, ...[...madeBy].flatMap(([id, name]) => (before(step.id).has(id) ? [name] : []))];
    return [
      ...(isUsed ? [fieldError(`/steps/${at}/config/name`, `is in use: “${made}” is the name of another document`, 'unique')] : []),
      ...unknown(document, usable, `/steps/${at}/config/document`),
      ...(Array.isArray(several) ? several.flatMap((named, n) => unknown(named, usable, `/steps/${at}/config/documents/${n}`)) : []),
    ];
  });
  if (names.length + taken.size > maxDocuments)
    errors.push(fieldError('/steps', `make more than ${maxDocuments} documents, with those of the workflow`, 'maxItems'));
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}`, { errors: errors.slice(0, 20) });
}

/** Returns a document as it is now, if the user who linked it may still share it. Tasks grant access with the rights of that user. */
export async function sharedDocument(scope: Scope, document: DocumentRow | undefined): Promise<TaskDocument | undefined> {
  const { linked_document_id: id, linked_by: by } = document ?? { linked_document_id: null, linked_by: null };
  if (id === null || by === null) return undefined;
  const referred = await documentReadableBy(scope, by, id);
  return referred?.gives && { referred, linkedBy: by };
}

/** Returns the documents of a workflow by name, in their order: null for a document in another system, and for a deleted one. */
export async function documentsOfWorkflow(
  { db, team }: Pick<ReadScope | Scope, 'db' | 'team'>,
  id: string,
): Promise<Map<string, string | null>> {
  return new Map((await db.all(namedDocuments, { team, id })).map(({ name, document_id: document }) => [name, document]));
}
