import { type Answers, answerText, type Field, isList, recordText, resolveText, type Text, visibleFields } from '#fields';
import type { DocumentAnswer } from '#issued-documents';
import type { FormBinding } from '../form-binding.ts';
import type { NamedRecords } from '../submit/index.ts';
import type { UploadRow } from './queries.ts';

type AnswersInput = {
  fields: readonly Field[];
  values: Answers;
  uploads: readonly UploadRow[];
  /** Drawn signatures as PNG, by the id of the upload. */
  drawings: ReadonlyMap<string, Buffer>;
  /** Titles of records, by their id. */
  records: ReadonlyMap<string, string>;
  locale: string;
  defaultLocale: string;
};

/** The maximum number of list items. A longer list becomes one text with an item on each line. */
const maxItems = 100;

/** Returns the questions and answers page by page in the language of the visitor. Leaves out invisible fields and `hidden` fields. */
export function sectionsOf({ fields, values, ...rest }: AnswersInput): { answers: DocumentAnswer[] }[] {
  const visible = visibleFields(fields, values);
  const shown = fields.filter(({ id, type }) => visible.has(id) && type !== 'hidden');
  const pages = Map.groupBy(shown, ({ page }) => page ?? 1);
  return [...pages.keys()]
    .toSorted((a, b) => a - b)
    .map((page) => ({ answers: (pages.get(page) ?? []).map((field) => answerOf(field, values[field.id], rest)) }));
}

function answerOf(
  field: Field,
  value: unknown,
  { uploads, drawings, records, locale, defaultLocale }: Omit<AnswersInput, 'fields' | 'values'>,
): DocumentAnswer {
  const inWords = (text: Text) => resolveText(text, locale, defaultLocale);
  const label = field.label === undefined ? field.id : inWords(field.label);
  if (field.type === 'heading') return { kind: 'heading', text: label };
  if (field.type === 'consent') return { kind: 'consent', label, given: value === true };
  if (value === undefined) return { kind: 'none', label };
  if (typeof value === 'boolean') return { kind: 'boolean', label, value };
  const drawing = field.type === 'signature' ? drawings.get(drawingIn(value) ?? '') : undefined;
  if (drawing) return { kind: 'image', label, image: { bytes: drawing, type: 'png', alt: label } };
  const files = filesOf(field, value, uploads);
  if (files.length > 0) return { kind: 'files', label, files };
  const text = (one: unknown) => records.get(String(one).toLowerCase()) ?? answerText(field, one, locale, defaultLocale);
  if (!isList(field) || !Array.isArray(value)) return { kind: 'text', label, text: text(value) };
  const items = value.map(text);
  return items.length > maxItems ? { kind: 'text', label, text: items.join(', ') } : { kind: 'list', label, items };
}

/** Returns the upload id of a drawn signature. */
export function drawingIn(value: unknown): string | undefined {
  return typeof value === 'object' && value !== null && 'fileId' in value ? String(value.fileId).toLowerCase() : undefined;
}

/** Returns the titles of the records in a submission: the values of the fields that the form shows, in that order. */
export function recordTitles(records: NamedRecords | null, bindings: readonly FormBinding[]): ReadonlyMap<string, string> {
  const shown = new Map(bindings.map(({ registryId, shown: fields }) => [registryId, fields ?? []]));
  return new Map(
    Object.entries(records ?? {}).map(([id, { registryTypeId, data }]) => {
      const fields = shown.get(registryTypeId) ?? Object.keys(data);
      return [id.toLowerCase(), recordText(fields.map((field) => data[field])) || id];
    }),
  );
}

/** Returns the uploads in an answer: files, or a drawn signature. */
function filesOf({ type }: Field, value: unknown, uploads: readonly UploadRow[]): Pick<UploadRow, 'name' | 'size' | 'sha256'>[] {
  if (type !== 'file' && type !== 'signature') return [];
  const ids = new Set([drawingIn(value) ?? value].flat().map((id) => String(id).toLowerCase()));
  return uploads.filter(({ id }) => ids.has(id)).map(({ name, size, sha256 }) => ({ name, size, sha256 }));
}
