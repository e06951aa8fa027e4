import { Readable } from 'node:stream';
import { unknownValues } from '#fields';
import { type FieldPlace, fieldPlacesOf, keepFieldPlaces } from '#signatures';
import { createDocument, type Document, documentReadable } from '#documents';
import type { Upload } from '../../platform/http/uploads.ts';
import { notFound } from '../../platform/identifiers.ts';
import { record } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import type { Versioned } from '../../platform/versioned.ts';
import { readableTemplate, type AccessibleTemplate } from './access.ts';
import { documentMade } from './events.ts';
import { findOrigin, insertOrigin } from './origin-queries.ts';
import { type DocumentBody, most, type Origin } from './schemas.ts';
import { picturesOf, refuseTooLarge } from './service.ts';
import { invalidValues, type SetDocument, type DocumentRenderer } from './setting.ts';
import { type Source, sourceOf } from './sources.ts';
import { normalText } from '../../platform/text.ts';

/** The services that create documents. */
export type Making = { setting: DocumentRenderer; storage: Storage };

/** A document that is rendered and stored, but has no row yet. */
export type Prepared = AccessibleTemplate & { upload: Upload; source: Source; places: FieldPlace[] };

const maxPdfBytes = 64 * 1024 * 1024;

/** Renders a document without storing it. Without values, uses the first example of the schema. Errors: 404, 422, 429. */
export async function preview(
  { setting }: Pick<Making, 'setting'>,
  scope: ReadScope,
  { template }: AccessibleTemplate,
  given: unknown,
): Promise<SetDocument> {
  const data = given ?? sampleOf(template.schema);
  refuseTooLarge('data', JSON.stringify(data), most.data);
  const { source, schema } = template;
  return setting.document(scope.team, { source, schema, pictures: await picturesOf(scope, template) }, data);
}

/** Rejects values that the schema of a template does not name. Errors: 422 `document_data_invalid`. */
export function refuseUnknownValues({ template }: AccessibleTemplate, data: unknown): void {
  const errors = unknownValues(template.schema, data, ['data']);
  if (errors.length > 0) throw invalidValues(errors);
}

/** Returns the sample values of a template: the first example of its schema, with which the template was tested. */
const sampleOf = ({ examples }: Record<string, unknown>): unknown => (Array.isArray(examples) ? (examples as unknown[])[0] : undefined);

/** Renders the document of a body and stores its file. Errors: 400, 404, 422, 429. */
export async function prepareDocument({ setting, storage }: Making, scope: ReadScope, id: string, body: DocumentBody): Promise<Prepared> {
  const reached = await readableTemplate(scope, id);
  const source = await sourceOf(scope, body);
  // A submission or record can have more answers than the template uses.
  if (source.kind === 'data') refuseUnknownValues(reached, source.data);
  const { pdf, places } = await preview({ setting }, scope, reached, source.data);
  const stored = await storage.write(Readable.from([pdf]), { maxBytes: maxPdfBytes });
  return {
    ...reached,
    source,
    places,
    upload: { ...stored, fileName: fileNameOf(body.title ?? reached.template.name), mediaType: 'application/pdf' },
  };
}

export const fileNameOf = (title: string) =>
  `${Array.from(
    normalText(title)
      .trim()
      .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069/\\]/gu, '_')
      .toWellFormed(),
  )
    .slice(0, 200)
    .join('')}.pdf`;

/**
 * Creates the prepared document and stores its origin. Rendering takes time, so this checks again that the actor may use the template and the
 * source of its values. Errors: 403 for a confined client without a folder, 404, 422 `document_source_not_found`, `parent_not_found`,
 * `document_outside_barrier`.
 */
export async function makeDocument(
  scope: Scope,
  { template, upload, source, places }: Prepared,
  { title, folderId }: DocumentBody,
): Promise<Versioned<Document>> {
  const { access } = await readableTemplate(scope, template.id);
  await source.stays(scope, folderId);
  const made = await createDocument(scope, { title: title ?? template.name, ...(folderId === undefined ? {} : { folderId }) }, upload);
  const { id: documentId } = made.value;
  const { kind, id: sourceId } = source;
  storeOrigin(scope, { document: documentId, template: template.id, number: template.number, source: kind, sourceId: sourceId ?? null });
  keepFieldPlaces(scope, documentId, places);
  const data = { documentId, version: template.number, source: kind, ...(sourceId === undefined ? {} : { sourceId }) };
  await record(scope, documentMade, template.id, { ...data, ...(access.via === 'role' ? { via: 'role' as const } : {}) });
  await source.note(scope);
  return made;
}

/** Stores the template and the source of values of a document. */
export function storeOrigin({ db, team }: Pick<Scope, 'db' | 'team'>, of: Omit<Parameters<typeof insertOrigin.values>[0], 'team'>): void {
  db.send(insertOrigin, { team, ...of });
}

/** Returns the template and the source of values of a document, for its readers. Errors: 404. */
export async function originOf(scope: ReadScope, documentId: string): Promise<Origin> {
  const id = await documentReadable(scope, documentId);
  const row = await scope.db.first(findOrigin, { team: scope.team, document: id });
  if (!row) throw notFound('template of this document');
  const places = await fieldPlacesOf(scope, id, 1);
  return {
    documentId: id,
    templateId: row.template_id,
    version: row.number,
    source: row.source,
    ...(places.length === 0 ? {} : { signatureFields: places }),
    ...(row.source_id === null ? {} : { sourceId: row.source_id }),
  };
}
