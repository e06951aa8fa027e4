import { didYouMean } from '../../../platform/http/known-members.ts';
import type { FieldError } from '../../../platform/problems.ts';
import type { RegistryField } from '../schemas.ts';
import { textsOf } from './cells.ts';
import { invalidCsv } from './invalid-csv.ts';

/** A column of a file with its field. A column without a name must be empty. */
export type Column = { name: string; field?: RegistryField | undefined };
export type Columns = readonly Column[];

/**
 * Maps the first row to fields, by id or label. Columns whose name begins with `_`, as in an export, are skipped.
 * Throws 422 `registry_csv_invalid`.
 */
export function columnsOf(fields: readonly RegistryField[], given: readonly string[], unknown: 'refused' | 'left out'): Columns {
  const errors: FieldError[] = [];
  const addError = (at: number, name: string, reason: string, rule: string) =>
    errors.push({ name: name.slice(0, 64), pointer: `/columns/${at}`, reason, rule });
  const seen = new Set<string>();
  const columns = given.map((text, at): Column => {
    const name = text.trim();
    if (name === '' || name.startsWith('_')) return { name };
    const field = fieldNamed(fields, name);
    if (field === undefined) {
      const names = fields.flatMap(({ id, label }) => [id, ...textsOf(label)]);
      const reason = `does not name a field of this registry: “${name.slice(0, 64)}”${didYouMean(name, names)}`;
      if (unknown === 'refused') addError(at, name, reason, 'unknown');
      return { name };
    }
    if (seen.has(field.id)) addError(at, name, `names the field ${field.id}, which another column also names`, 'unique');
    seen.add(field.id);
    return { name, field };
  });
  for (const { id, required, default: value } of fields)
    if (required && value === undefined && !seen.has(id)) addError(given.length, id, `is missing: the field ${id} is required`, 'required');
  const [first] = errors;
  if (first) {
    const more = errors.length > 1 ? ` And ${errors.length - 1} more, in \`errors\`.` : '';
    throw invalidCsv(
      `The first row of the file names the columns, and one of them ${first.reason}${first.reason.endsWith('?') ? '' : '.'}${more}`,
      errors.slice(0, 100),
    );
  }
  if (seen.size === 0)
    throw invalidCsv(
      'The first row of the file does not name a field of this registry. Write the ids or labels of the fields into the first row.',
    );
  return columns;
}

/** Finds a field by its id, or by a label in any language that only this field has. */
function fieldNamed(fields: readonly RegistryField[], name: string): RegistryField | undefined {
  const byId = fields.find(({ id }) => id === name);
  if (byId) return byId;
  const wanted = name.toLowerCase();
  const labelled = fields.filter(({ id, label }) => [id, ...textsOf(label)].some((text) => text.toLowerCase() === wanted));
  return labelled.length === 1 ? labelled[0] : undefined;
}
