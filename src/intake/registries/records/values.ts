import { checkAnswers, checkWith, definitionLimits, type Patterns } from '#fields';
import { unknownNames } from '../../../platform/http/known-members.ts';
import { type FieldError, problems } from '../../../platform/problems.ts';
import { asFields } from '../fields.ts';
import { registryProblems } from '../problems.ts';
import type { RegistryField } from '../schemas.ts';
import { type Keys, keysOf } from './keys.ts';

export type RecordData = Record<string, unknown>;
/** The value of a unique field. */
export type UniqueValue = { field: string; key: string };

/** Validated values with the keys of the record. */
export type Prepared = { data: RecordData; keys: Keys; unique: UniqueValue[] };

/** The fields of a registry, and its team. */
export type FieldsOfTeam = { fields: readonly RegistryField[]; team: string };

/** Validates values, and returns them normalized with the errors. `patterns` has the precomputed pattern results of many records. */
export function judgeData(fields: readonly RegistryField[], given: RecordData, patterns?: Patterns): Judged {
  const { values, errors } = checkWith(asFields(fields), given, { locale: 'en', ...(patterns ? { matches: patterns.matches } : {}) });
  return { data: values, errors: [...unknownFields(fields, given), ...errors] };
}

type Judged = { data: RecordData; errors: FieldError[] };

const unknownFields = (fields: readonly RegistryField[], given: RecordData): FieldError[] =>
  unknownNames(
    given,
    fields.map(({ id }) => id),
    ['data'],
  );

/** Adds the defaults of fields without a value to a new record. */
export function withDefaults(fields: readonly RegistryField[], given: RecordData): RecordData {
  const defaults = fields.filter(({ id, default: value }) => value !== undefined && !Object.hasOwn(given, id));
  return { ...Object.fromEntries(defaults.map((field) => [field.id, field.default])), ...given };
}

/** Builds the keys and unique values of a record. Throws 413. */
export function prepare(fields: readonly RegistryField[], data: RecordData): Prepared {
  if (Buffer.byteLength(JSON.stringify(data)) > definitionLimits.dataBytes)
    throw problems.payload_too_large(
      `The values of a record can have at most ${definitionLimits.dataBytes / 1024} KiB of JSON in all. Shorten them.`,
    );
  const keys = keysOf(asFields(fields), data);
  const unique = fields.flatMap(({ id, unique: once }) => (once ? (keys[id] ?? []).map((key) => ({ field: id, key })) : []));
  return { data, keys, unique };
}

/** Validates values. Throws 413 and 422 `registry_record_invalid`. */
export async function requireData({ fields, team }: FieldsOfTeam, given: RecordData): Promise<Prepared> {
  const { values, errors } = await checkAnswers(asFields(fields), given, { locale: 'en', team });
  refuse([...unknownFields(fields, given), ...errors]);
  return prepare(fields, values);
}

/**
 * Validates changed values, and merges them with the others; null removes a value. It does not validate unchanged values again, so these stay valid
 * after the rules change. Throws the same errors as {@link requireData}.
 */
export async function requirePatch({ fields, team }: FieldsOfTeam, before: RecordData, given: RecordData): Promise<Prepared> {
  const touched = fields.filter(({ id }) => Object.hasOwn(given, id));
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { values, errors } = await checkAnswers(asFields(touched), set, { locale: 'en', team });
  refuse([...unknownFields(fields, given), ...errors]);
  const kept = Object.fromEntries(
    fields.flatMap(({ id }) => (Object.hasOwn(before, id) && !Object.hasOwn(given, id) ? [[id, before[id]]] : [])),
  );
  return prepare(fields, { ...kept, ...values });
}

export function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more, in \`errors\`.` : '';
  throw registryProblems.registry_record_invalid(`\`${first.pointer}\` ${first.reason}${/[.?!]$/.test(first.reason) ? '' : '.'}${more}`, {
    errors: errors.slice(0, 100),
  });
}
