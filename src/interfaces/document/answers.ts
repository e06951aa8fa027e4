import { type Answers, answerText, type Field, isList, resolveText, type Text, visibleFields } from '#fields';
import type { Answer } from '#renditions';
import type { UploadRow } from './queries.ts';

type Given = {
  fields: readonly Field[];
  values: Answers;
  uploads: readonly UploadRow[];
  locale: string;
  defaultLocale: string;
};

/** Longer lists are set as one text: an item a line, thousands would be no document. */
const mostItems = 100;

/**
 * What was asked and answered, page by page, as whoever answered saw it: in their language, without what was not shown and without
 * hidden fields, which are the form's own.
 */
export function sectionsOf({ fields, values, ...rest }: Given): { answers: Answer[] }[] {
  const visible = visibleFields(fields, values);
  const shown = fields.filter(({ id, type }) => visible.has(id) && type !== 'hidden');
  const pages = Map.groupBy(shown, ({ page }) => page ?? 1);
  return [...pages.keys()]
    .toSorted((a, b) => a - b)
    .map((page) => ({ answers: (pages.get(page) ?? []).map((field) => answerOf(field, values[field.id], rest)) }));
}

function answerOf(field: Field, value: unknown, { uploads, locale, defaultLocale }: Omit<Given, 'fields' | 'values'>): Answer {
  const inWords = (text: Text) => resolveText(text, locale, defaultLocale);
  const label = field.label === undefined ? field.id : inWords(field.label);
  if (field.type === 'heading') return { kind: 'heading', text: label };
  if (field.type === 'consent') return { kind: 'consent', label, given: value === true };
  if (value === undefined) return { kind: 'none', label };
  if (typeof value === 'boolean') return { kind: 'boolean', label, value };
  const files = filesOf(field, value, uploads);
  if (files.length > 0) return { kind: 'files', label, files };
  const text = (one: unknown) => answerText(field, one, locale, defaultLocale);
  if (!isList(field) || !Array.isArray(value)) return { kind: 'text', label, text: text(value) };
  const items = value.map(text);
  return items.length > mostItems ? { kind: 'text', label, text: items.join(', ') } : { kind: 'list', label, items };
}

/** The uploads that an answer names: files, and a signature that was drawn. */
function filesOf({ type }: Field, value: unknown, uploads: readonly UploadRow[]): Omit<UploadRow, 'id'>[] {
  if (type !== 'file' && type !== 'signature') return [];
  const drawn = typeof value === 'object' && value !== null && 'fileId' in value ? value.fileId : value;
  const ids = new Set([drawn].flat().map((id) => String(id).toLowerCase()));
  return uploads.filter(({ id }) => ids.has(id)).map(({ name, size, sha256 }) => ({ name, size, sha256 }));
}
