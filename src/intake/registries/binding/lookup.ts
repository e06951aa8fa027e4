import type { Reader } from '../../../platform/database/database.ts';
import { isUuid } from '../../../platform/identifiers.ts';
import { recordsOf } from '../records/queries.ts';
import { isSortable, pageOf, wordConditions } from '../records/index.ts';
import type { RegistryField } from '../schemas.ts';
import { type Bound, type BoundRegistry, boundRegistry } from './bound.ts';

/** The public values of a record, for everyone with the link of a form. */
export type PublicRecord = { id: string; data: Record<string, unknown> };

/** A registry whose records a form shows, with the fields that were public when the form was bound. */
export type Showing = Bound & { fields: readonly string[] };

/** Maximum records of a lookup. There are no pages. */
const most = 50;

const shownFields = (registry: BoundRegistry, fields: readonly string[]): RegistryField[] =>
  registry.fields.filter((field) => field.public && fields.includes(field.id));

const valuesOf = (shown: readonly RegistryField[], data: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(shown.flatMap(({ id }) => (Object.hasOwn(data, id) ? [[id, data[id]]] : [])));

/**
 * Searches the records of a registry for a form, and returns at most 50. It searches and returns only the given fields, as far as they are still public.
 * Returns undefined if the binding has ended, see {@link boundRegistry}.
 */
export async function publicRecords(
  scope: { db: Reader; team: string },
  { fields, q, ...bound }: Showing & { q?: string | undefined },
): Promise<PublicRecord[] | undefined> {
  const registry = await boundRegistry(scope, bound);
  if (!registry) return undefined;
  const shown = shownFields(registry, fields);
  if (shown.length === 0) return [];
  const first = shown.find(isSortable);
  const base = { team: scope.team, registry: registry.id, state: 'active', former: registry.former, since: null, limit: most };
  const page = await pageOf(scope, base, {
    order: { by: first === undefined ? 'createdAt' : { field: first.id }, way: 'asc' },
    conditions: { wanted: q === undefined || q.trim() === '' ? [] : wordConditions(shown, q), empty: [] },
  });
  const found = JSON.parse(page?.body ?? '[]') as PublicRecord[];
  return found.map(({ id, data }) => ({ id, data: valuesOf(shown, data) }));
}

type RecordReference = { registryTypeId: string; recordId: string };

/**
 * Returns the public values of the records that a submission refers to, by record id. It includes only records that {@link publicRecords} can return:
 * no records in the bin or pending approval, and no records if the binding has ended.
 */
export async function recordsNamed(
  scope: { db: Reader; team: string },
  showing: readonly Showing[],
  named: readonly RecordReference[],
): Promise<ReadonlyMap<string, PublicRecord & { registryId: string }>> {
  const wanted = new Set(named.map(({ registryTypeId }) => registryTypeId.toLowerCase()));
  const open = new Map<string, RegistryField[]>();
  for (const one of showing) {
    const registry = wanted.has(one.registryId) ? await boundRegistry(scope, one) : undefined;
    const shown = registry ? shownFields(registry, one.fields) : [];
    if (shown.length > 0) open.set(one.registryId, shown);
  }
  const readable = named.filter(({ registryTypeId, recordId }) => open.has(registryTypeId.toLowerCase()) && isUuid(recordId));
  if (readable.length === 0) return new Map();
  const found = await scope.db.all(recordsOf, {
    team: scope.team,
    registries: readable.map((one) => one.registryTypeId),
    ids: readable.map((one) => one.recordId),
  });
  return new Map(
    found.map(({ id, registry_id: registryId, data }) => [id, { id, registryId, data: valuesOf(open.get(registryId) ?? [], data) }]),
  );
}
