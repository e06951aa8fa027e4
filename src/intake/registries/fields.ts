import { checkFields, type DefinitionError, type Field, isList } from '#fields';
import type { Scope } from '../../platform/scope.ts';
import { namedRegistry } from './access.ts';
import { registryProblems } from './problems.ts';
import type { RegistryField } from './schemas.ts';

/** Names of sort keys that are not fields. */
const reserved = new Set(['createdAt', 'updatedAt']);
/** Field types that can be unique. */
const uniqueTypes = new Set(['text', 'email', 'phone', 'url', 'number', 'integer', 'date', 'datetime', 'registry']);
/** Maximum number of removed fields of a registry. Their ids cannot be used again. */
const maxFormer = 1_000;

/** Converts a registry field to a field of the shared engine, which does not have `public` and `unique`. */
export const asField = ({ public: _public, unique: _unique, ...field }: RegistryField): Field => field;

const known = new WeakMap<readonly RegistryField[], Field[]>();

/** Converts all fields. The result is cached for each list. */
export function asFields(fields: readonly RegistryField[]): Field[] {
  const made = known.get(fields) ?? fields.map(asField);
  known.set(fields, made);
  return made;
}

/** Returns the languages of the texts. A registry allows any languages, because it is not shown as a page. */
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
 * Validates the fields of a registry. Reference fields must refer to registries that the actor can read, because their records become visible
 * in this one. Throws 422 `registry_fields_invalid`.
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
  if (reserved.has(field.id)) return error('id', 'is reserved for a timestamp of every record', 'reserved');
  if (field.unique && (!uniqueTypes.has(field.type) || isList(asField(field))))
    return error(
      'unique',
      `is allowed only for fields that have a single value and one of these types: ${[...uniqueTypes].join(', ')}`,
      'unique',
    );
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
            reason: 'is not the identifier of a registry that you can read',
            rule: 'registry',
          },
        ],
  );
}

const kindOf = (field: RegistryField) => `${isList(asField(field)) ? 'a list' : 'one value'} of type ${field.type}`;

type Had = { fields: readonly RegistryField[]; former_fields: readonly string[] };

/**
 * Returns the ids of all removed fields after a change to `after`. Removed fields cannot be added again. Throws 409
 * `registry_field_type_immutable` if a field has another type than the stored values under its id.
 */
export function formerFields({ fields: before, former_fields: former }: Had, after: readonly RegistryField[]): string[] {
  const gone = after.find(({ id }) => former.includes(id));
  if (gone)
    throw registryProblems.registry_field_type_immutable(
      `The registry had a field \`${gone.id}\` before, and the history of records has its values. Choose another \`id\`.`,
    );
  for (const field of after) {
    const kept = before.find(({ id }) => id === field.id);
    if (kept !== undefined && kindOf(kept) !== kindOf(field))
      throw registryProblems.registry_field_type_immutable(
        `\`${field.id}\` is ${kindOf(kept)}, and records have such values. Add a field with another \`id\`.`,
      );
  }
  const ids = [...former, ...fieldChanges(before, after).removed];
  if (ids.length > maxFormer)
    throw registryProblems.registry_fields_invalid(
      `The registry has had ${ids.length} fields that were removed, which is more than allowed. Create another registry.`,
    );
  return ids;
}

/** Returns the ids of added, removed and changed fields, for the journal. */
export function fieldChanges(before: readonly RegistryField[], after: readonly RegistryField[]) {
  const old = new Map(before.map((field) => [field.id, JSON.stringify(field)]));
  const ids = new Set(after.map(({ id }) => id));
  return {
    added: after.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !ids.has(id)).map(({ id }) => id),
    changed: after.filter((field) => old.has(field.id) && old.get(field.id) !== JSON.stringify(field)).map(({ id }) => id),
  };
}
