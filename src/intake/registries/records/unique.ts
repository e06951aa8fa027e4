import { violates } from '../../../platform/database/errors.ts';
import type { Scope } from '../../../platform/scope.ts';
import { fieldError } from '../../../platform/problems.ts';
import { registryProblems } from '../problems.ts';
import type { RegistryRow } from '../queries.ts';
import type { RegistryField } from '../schemas.ts';
import * as queries from './queries.ts';

/** The error for a value of a unique field that another record has. */
export const taken = (field?: string) =>
  registryProblems.registry_value_taken(
    'Another record already has this value of a unique field. Search for it, and change that record or choose another value.',
    field === undefined ? {} : { errors: [fieldError(`/data/${field}`, 'is the value of another record', 'unique')] },
  );

/** Maps a violation of the unique constraint to 409 `registry_value_taken`, and rethrows other errors. */
export function valueTaken(error: unknown): never {
  throw violates(error, 'registry_value_once') ? taken() : error;
}

const uniqueIds = (fields: readonly RegistryField[]) => new Set(fields.filter(({ unique }) => unique).map(({ id }) => id));

/**
 * Updates the reserved values when fields become unique or are no longer unique. The caller must lock the registry, so that no records are written.
 * Throws 409 `registry_values_repeated`.
 */
export async function keepUnique(
  scope: Scope,
  registry: Pick<RegistryRow, 'id' | 'fields'>,
  fields: readonly RegistryField[],
): Promise<void> {
  const [before, after] = [uniqueIds(registry.fields), uniqueIds(fields)];
  const at = { team: scope.team, registry: registry.id };
  const free = [...before].filter((id) => !after.has(id));
  if (free.length > 0) scope.db.send(queries.releaseUniqueValuesOfField, { ...at, fields: free });
  for (const field of after) {
    if (before.has(field)) continue;
    const { repeated } = (await scope.db.first(queries.countRepeated, { ...at, field })) ?? { repeated: 0 };
    if (repeated > 0)
      throw registryProblems.registry_values_repeated(
        `\`${field}\` cannot be unique: ${repeated} of its values occur in several records. Sort the records by it, and correct them first.`,
      );
    scope.db.send(queries.reserveUniqueValuesOfAll, { ...at, field });
  }
}
