import { checkAnswers, checkWith, definitionLimits, type Patterns } from '#fields';
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

async function judgeOne({ fields, team }: FieldsOfTeam, given: RecordData): Promise<Judged> {
  const { values, errors } = await checkAnswers(asFields(fields), given, { locale: 'en', team });
  return { data: values, errors: [...unknownFields(fields, given), ...errors] };
}

function unknownFields(fields: readonly RegistryField[], given: RecordData): FieldError[] {
  const known = new Set(fields.map(({ id }) => id));
  return Object.keys(given)
    .filter((id) => !known.has(id))
    .slice(0, 20)
    .map((id): FieldError => {
      const name = id.slice(0, 64);
      const pointer = `/data/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return { name, pointer, reason: 'is not a field of this registry', rule: 'unknown' };
    });
}

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
export async function requireData(of: FieldsOfTeam, given: RecordData): Promise<Prepared> {
  const { data, errors } = await judgeOne(of, given);
  refuse(errors);
  return prepare(of.fields, data);
}

/**
 * Validates changed values, and merges them with the others; null removes a value. It does not validate unchanged values again, so these stay valid
 * after the rules change. Throws the same errors as {@link requireData}.
 */
export async function requirePatch({ fields, team }: FieldsOfTeam, before: RecordData, given: RecordData): Promise<Prepared> {
  const touched = fields.filter(({ id }) => Object.hasOwn(given, id));
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { data, errors } = await judgeOne({ fields: touched, team }, set);
  const unknown = Object.keys(given).filter((id) => given[id] === null && !touched.some((field) => field.id === id));
  refuse([...errors, ...unknownFields([], Object.fromEntries(unknown.map((id) => [id, null])))]);
  const kept = Object.fromEntries(
    fields.flatMap(({ id }) => (Object.hasOwn(before, id) && !Object.hasOwn(given, id) ? [[id, before[id]]] : [])),
  );
  return prepare(fields, { ...kept, ...data });
}

export function refuse(errors: readonly FieldError[]): void {
  const [first] = errors;
  if (!first) return;
  const more = errors.length > 1 ? ` And ${errors.length - 1} more, in \`errors\`.` : '';
  throw registryProblems.registry_record_invalid(`\`${first.pointer}\` ${first.reason}${/[.?!]$/.test(first.reason) ? '' : '.'}${more}`, {
    errors: errors.slice(0, 100),
  });
}
