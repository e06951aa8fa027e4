import { recordsIn } from '#fields';
import { isUuid } from '../../../platform/identifiers.ts';
import type { FieldError } from '../../../platform/problems.ts';
import type { Scope } from '../../../platform/scope.ts';
import { namedRegistry } from '../access.ts';
import { asFields } from '../fields.ts';
import type { RegistryField } from '../schemas.ts';
import { lockNamedRecords } from './queries.ts';
import { type RecordData, refuse } from './values.ts';

/**
 * Requires that the actor can read the records of new references, because a reference discloses that a record exists. References of the previous
 * version stay valid. Throws 422 `registry_record_invalid`.
 */
export async function requireReferences(
  scope: Scope,
  fields: readonly RegistryField[],
  data: RecordData,
  before: RecordData = {},
): Promise<void> {
  const plain = asFields(fields);
  const kept = new Set(recordsIn(plain, before).map(({ field, recordId }) => `${field} ${recordId}`));
  const named = recordsIn(plain, data).filter(({ field, recordId }) => !kept.has(`${field} ${recordId}`));
  if (named.length === 0) return;
  const open = new Set<string>();
  for (const registry of new Set(named.map(({ registryTypeId }) => registryTypeId)))
    if (await isReadable(scope, registry)) open.add(registry);
  const readable = named.filter(({ registryTypeId, recordId }) => open.has(registryTypeId) && isUuid(recordId));
  const found = await scope.db.all(lockNamedRecords, {
    team: scope.team,
    registries: readable.map(({ registryTypeId }) => registryTypeId),
    ids: readable.map(({ recordId }) => recordId),
  });
  const there = new Set(found.map(({ registry_id: registry, id }) => `${registry} ${id}`));
  refuse(
    named.flatMap(({ field, registryTypeId, recordId }): FieldError[] =>
      there.has(`${registryTypeId.toLowerCase()} ${recordId.toLowerCase()}`)
        ? []
        : [{ name: field, pointer: `/data/${field}`, reason: 'does not refer to a record that you can read', rule: 'record' }],
    ),
  );
}

/** Returns whether the actor can read a registry. */
export const isReadable = (scope: Scope, registry: string): Promise<boolean> =>
  namedRegistry(scope, registry).then(
    () => true,
    () => false,
  );
