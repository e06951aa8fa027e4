import { checkFields, type DefinitionError, type Field, isList } from '#fields';
import type { Scope } from '../../platform/scope.ts';
import { namedRegistry } from './access.ts';
import { registryProblems } from './problems.ts';
import type { RegistryField } from './schemas.ts';

/** Names that sorting has for what is no field. */
const reserved = new Set(['createdAt', 'updatedAt']);
/** Types of which two records having the same value can be a mistake. */
const uniqueTypes = new Set(['text', 'email', 'phone', 'url', 'number', 'integer', 'date', 'datetime', 'registry']);
/** Fields that a registry had and has not any more, at most: their ids stay taken. */
const maxFormer = 1_000;

/** The field as the engine of all fields knows it: `public` and `unique` are for registries alone. */
export const asField = ({ public: _public, unique: _unique, ...field }: RegistryField): Field => field;

const known = new WeakMap<readonly RegistryField[], Field[]>();

/** All of them, made once for a list that is looked at again and again. */
export function asFields(fields: readonly RegistryField[]): Field[] {
  const made = known.get(fields) ?? fields.map(asField);
  known.set(fields, made);
  return made;
}

/** Texts of a registry are in whatever languages they are in: it is not shown as a page. */
function languagesOf(fields: readonly RegistryField[]) {
  const texts = fields.flatMap(({ label, help, placeholder, options = [] }) => [
    label,
    help,
    placeholder,
    ...options.map((one) => one.label),
  ]);
  const locales = new Set(texts.flatMap((text) => (typeof text === 'object' ? Object.keys(text) : [])));
  return { locales: [...locales], defaultLocale: '' };
}

/**
 * Refuses fields that a registry cannot have, or that name a registry which the actor may not read: whoever sees this one learns of
 * its records. Errors: 422 `registry_fields_invalid`.
 */
export async function requireFields(scope: Scope, fields: readonly RegistryField[]): Promise<void> {
  const { errors } = await checkFields(asFields(fields), languagesOf(fields), scope.team);
  const allErrors = [...errors, ...fields.flatMap(ownErrors), ...(await referenceErrors(scope, fields))];
  const [first] = allErrors;
  if (!first) return;
  const more = allErrors.length > 1 ? ` And ${allErrors.length - 1} more, in \`errors\`.` : '';
  throw registryProblems.registry_fields_invalid(`\`${first.pointer}\` ${first.reason}.${more}`, { errors: allErrors.slice(0, 100) });
}

function ownErrors(field: RegistryField, place: number): DefinitionError[] {
  const error = (name: string, reason: string, rule: string) => [{ name, pointer: `/fields/${place}/${name}`, reason, rule }];
  if (reserved.has(field.id)) return error('id', 'is the name of a time that every record has', 'reserved');
  if (field.unique && (!uniqueTypes.has(field.type) || isList(asField(field))))
    return error('unique', `is for fields of one short value: ${[...uniqueTypes].join(', ')}`, 'unique');
  return [];
}

async function referenceErrors(scope: Scope, fields: readonly RegistryField[]): Promise<DefinitionError[]> {
  const named = new Map<string, boolean>();
  for (const { registryTypeId: id } of fields)
    if (id !== undefined && !named.has(id))
      named.set(
        id,
        await namedRegistry(scope, id).then(
          () => true,
          () => false,
        ),
      );
  return fields.flatMap(({ registryTypeId: id }, place) =>
    id === undefined || named.get(id)
      ? []
      : [
          {
            name: 'registryTypeId',
            pointer: `/fields/${place}/registryTypeId`,
            reason: 'names no registry that you can read',
            rule: 'registry',
          },
        ],
  );
}

const kindOf = (field: RegistryField) => `${isList(asField(field)) ? 'a list' : 'one value'} of type ${field.type}`;

type Had = { fields: readonly RegistryField[]; former_fields: readonly string[] };

/**
 * The ids of fields that a registry with records will have had, once it has `after`: a removed field is gone for good. Errors: 409
 * `registry_field_type_immutable` where one is of another type than the values that records hold under its id, or held.
 */
export function formerFields({ fields: before, former_fields: former }: Had, after: readonly RegistryField[]): string[] {
  const gone = after.find(({ id }) => former.includes(id));
  if (gone)
    throw registryProblems.registry_field_type_immutable(
      `There was a field \`${gone.id}\` before, and the history of records has its values. Take another \`id\`.`,
    );
  for (const field of after) {
    const kept = before.find(({ id }) => id === field.id);
    if (kept !== undefined && kindOf(kept) !== kindOf(field))
      throw registryProblems.registry_field_type_immutable(
        `\`${field.id}\` is ${kindOf(kept)}, and records hold such values. Add a field under another \`id\`.`,
      );
  }
  const ids = [...former, ...fieldChanges(before, after).removed];
  if (ids.length > maxFormer)
    throw registryProblems.registry_fields_invalid(`The registry has had ${ids.length} fields that it has no more. Make another registry.`);
  return ids;
}

/** What became of the fields, as the journal says it. */
export function fieldChanges(before: readonly RegistryField[], after: readonly RegistryField[]) {
  const old = new Map(before.map((field) => [field.id, JSON.stringify(field)]));
  const ids = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    changed: after.filter((field) => old.has(field.id) && old.get(field.id) !== JSON.stringify(field)).map(({ id }) => id),
  };
}
