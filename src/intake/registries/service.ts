import { randomUUIDv7 } from 'node:crypto';
import { audienceOf, grantToCreator, isBehindBarrier } from '#access';
import { lockMatterFor, ownerForActor, refuseInClosedMatter } from '#folders';
import { pipelined } from '../../platform/database/pipelined.ts';
import type { ListPage } from '../../platform/database/json-page.ts';
import type { ChangePage } from '../../platform/database/sorted-page.ts';
import { record } from '../../platform/journal/record.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { binnedRegistry, manageableRegistry, readableRegistry } from './access.ts';
import type { AskBindings } from './bindings.ts';
import { registryCreated, registryDeleted, registryRestored, registryUpdated } from './events.ts';
import { fieldChanges, formerFields, requireFields } from './fields.ts';
import { presentRegistry } from './present.ts';
import { registryProblems } from './problems.ts';
import * as queries from './queries.ts';
import { hasRecords, keepUnique } from './records/index.ts';
import type { CreateRegistry, Registry, RegistryField, UpdateRegistry } from './schemas.ts';

/** Returns a page of the registries that the actor can see, as JSON text from the database. */
export function listRegistries(scope: ReadScope, { sort, ...page }: ChangePage): Promise<ListPage | undefined> {
  return scope.db.first(queries.listRegistries[sort], { team: scope.team, ...audienceOf(scope.actor, 'registry'), ...page });
}

/** Returns a page of the registries in the bin that the actor can restore. Shares give no access to the bin. */
export function listBin(scope: ReadScope, { sort, ...page }: ChangePage): Promise<ListPage | undefined> {
  return scope.db.first(queries.listBin[sort], { team: scope.team, ...audienceOf(scope.actor, 'registry', 'manage'), ...page });
}

export async function getRegistry(scope: ReadScope, id: string): Promise<Versioned<Registry>> {
  const { registry, access } = await readableRegistry(scope, id);
  return { value: presentRegistry(registry, access), version: registry.version };
}

const isBarred = ({ barrier_id: barrier }: queries.ReachedRegistry): boolean => isBehindBarrier(barrier);

/** Creates a registry. Its owner is the person, or the owner of the team for an API client. Throws 422 `registry_fields_invalid`. */
export async function createRegistry(scope: Scope, input: CreateRegistry): Promise<Versioned<Registry>> {
  if (scope.actor.type === 'system') throw new Error('a registry needs an actor with an identifier');
  const name = cleanName(input.name);
  await requireFields(scope, input.fields);
  const matter = input.matterId === undefined ? undefined : await lockMatterFor(scope, input.matterId);
  const id = randomUUIDv7();
  const { id: by, type: byType } = scope.actor;
  scope.db.send(queries.insertRegistry, {
    team: scope.team,
    id,
    name,
    description: input.description ?? null,
    fields: JSON.stringify(input.fields),
    user: await ownerForActor(scope),
    matter: matter?.parent ?? null,
    by,
    byType,
    at: scope.now,
  });
  grantToCreator(scope, 'registry', id, ['manager']);
  await record(scope, registryCreated, id, { name }, matter !== undefined && isBehindBarrier(matter.barrier_id));
  return getRegistry(scope, id);
}

/**
 * Changes the sent members of a registry. Throws 403, 404, 409 `registry_field_type_immutable`, `registry_field_in_use`,
 * `registry_values_repeated`, 412, and 422 `registry_fields_invalid`.
 */
export async function updateRegistry(
  scope: Scope,
  id: string,
  input: UpdateRegistry,
  { expect, bindings }: { expect: VersionCheck; bindings: AskBindings },
): Promise<Versioned<Registry>> {
  const { registry, access } = await manageableRegistry(scope, id, expect);
  const name = input.name === undefined ? registry.name : cleanName(input.name);
  const description = input.description === undefined ? registry.description : input.description;
  const fields = input.fields ?? registry.fields;
  const former = input.fields === undefined ? registry.former_fields : await changeFields(scope, registry, input.fields, bindings);
  const members = Object.entries({ name, description, fields })
    .filter(([member, value]) => JSON.stringify(value) !== JSON.stringify(registry[member as 'name' | 'description' | 'fields']))
    .map(([member]) => member);
  const changed = members.includes('fields') ? { fields: fieldChanges(registry.fields, fields) } : {};
  scope.db.send(queries.updateRegistry, {
    team: scope.team,
    id: registry.id,
    name,
    description,
    fields: JSON.stringify(fields),
    formerFields: former,
    at: scope.now,
  });
  await record(scope, registryUpdated, registry.id, { name, members, ...changed, ...access.byRole('manage') }, isBarred(registry));
  return getRegistry(scope, registry.id);
}

/** Prepares a locked registry for new fields, and returns the ids of all removed fields. */
async function changeFields(
  scope: Scope,
  registry: queries.ReachedRegistry,
  fields: readonly RegistryField[],
  bindings: AskBindings,
): Promise<readonly string[]> {
  await requireFields(scope, fields);
  await refuseBound(scope, registry, fields, bindings);
  if (!(await hasRecords(scope, registry.id))) return [];
  const former = formerFields(registry, fields);
  await keepUnique(scope, registry, fields);
  return former;
}

/** Rejects the removal of a field that a published form uses. Throws 409 `registry_field_in_use`. */
async function refuseBound(
  scope: Scope,
  registry: queries.RegistryRow,
  fields: readonly RegistryField[],
  bindings: AskBindings,
): Promise<void> {
  const { removed } = fieldChanges(registry.fields, fields);
  if (removed.length === 0) return;
  const bound = new Set((await bindings(scope, registry.id)).flatMap((binding) => binding.fields));
  const used = removed.filter((id) => bound.has(id));
  if (used.length === 0) return;
  throw registryProblems.registry_field_in_use(
    `A published form uses ${used.map((id) => `\`${id}\``).join(', ')}. Publish the form without the field, or close the form. Then remove the field.`,
  );
}

/** Moves a registry with its records to the bin. Throws 403, 404, 409 `registry_in_use`, and 412. */
export async function deleteRegistry(
  scope: Scope,
  id: string,
  { expect, bindings }: { expect: VersionCheck; bindings: AskBindings },
): Promise<void> {
  const { registry, access } = await manageableRegistry(scope, id, expect);
  if ((await bindings(scope, registry.id)).length > 0)
    throw registryProblems.registry_in_use(
      'A published form uses this registry. Close the form, or publish it without the registry. Then delete the registry.',
    );
  refuseInClosedMatter(scope, registry.container_id);
  await pipelined([
    () => scope.db.all(queries.binRegistry, { team: scope.team, id: registry.id, deletedAt: scope.now, at: scope.now }),
    () => record(scope, registryDeleted, registry.id, { name: registry.name, ...access.byRole('manage') }, isBarred(registry)),
  ]);
}

/** Restores a registry from the bin. Throws 404. */
export async function restoreRegistry(scope: Scope, id: string): Promise<Versioned<Registry>> {
  const { registry, access } = await binnedRegistry(scope, id);
  refuseInClosedMatter(scope, registry.container_id);
  await pipelined([
    () => scope.db.all(queries.binRegistry, { team: scope.team, id: registry.id, deletedAt: null, at: scope.now }),
    () => record(scope, registryRestored, registry.id, { name: registry.name, ...access.byRole('manage') }, isBarred(registry)),
  ]);
  return getRegistry(scope, registry.id);
}
