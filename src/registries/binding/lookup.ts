import type { Reader } from '../../platform/database/database.ts';
import { isUuid } from '../../platform/identifiers.ts';
import type { Scope } from '../../platform/scope.ts';
import { holdNamed, recordsOf, type RecordRow } from '../records/queries.ts';
import { isSortable, pageOf, wordConditions } from '../records/index.ts';
import { boundRegistry } from './bound.ts';

/** A record as whoever has a form's link sees it. */
export type PublicRecord = { id: string; data: Record<string, unknown> };

/** Records of one look-up at most: there are no pages. */
const most = 50;

/**
 * Records of a registry for whoever has a form's link: at most 50, with the values of the given fields that are public still, by which
 * alone they are searched and sorted. Nothing where the binding has ended, see {@link boundRegistry}.
 */
export async function publicRecords(
  scope: { db: Reader; team: string },
  { registryId, boundBy, fields, q }: { registryId: string; boundBy: string; fields: readonly string[]; q?: string },
): Promise<PublicRecord[] | undefined> {
  const registry = await boundRegistry(scope, { registryId, boundBy });
  if (!registry) return undefined;
  const shown = registry.fields.filter((field) => field.public && fields.includes(field.id));
  if (shown.length === 0) return [];
  const first = shown.find(isSortable);
  const base = { team: scope.team, registry: registry.id, state: 'active', former: registry.former, since: null, limit: most };
  const page = await pageOf(scope, base, {
    order: { by: first === undefined ? 'createdAt' : { field: first.id }, way: 'asc' },
    conditions: { wanted: q === undefined || q.trim() === '' ? [] : wordConditions(shown, q), empty: [] },
  });
  const found = JSON.parse(page?.body ?? '[]') as PublicRecord[];
  return found.map(({ id, data }) => ({
    id,
    data: Object.fromEntries(shown.flatMap((field) => (Object.hasOwn(data, field.id) ? [[field.id, data[field.id]]] : []))),
  }));
}

type Named = { registryTypeId: string; recordId: string };

/**
 * Of the records that a submission names, those that are there, by their id, with all their values: the caller keeps what it may of them.
 * They are not purged until the transaction ends; one that is in the bin, or waits for approval, is not among them.
 */
export async function recordsNamed(
  scope: Pick<Scope, 'db' | 'team'>,
  named: readonly Named[],
): Promise<ReadonlyMap<string, Pick<RecordRow, 'id' | 'registry_id' | 'data'>>> {
  const asked = named.filter(({ registryTypeId, recordId }) => isUuid(registryTypeId) && isUuid(recordId));
  if (asked.length === 0) return new Map();
  const ids = { registries: asked.map((one) => one.registryTypeId), ids: asked.map((one) => one.recordId) };
  const found = await scope.db.locked(holdNamed, { team: scope.team, ...ids }, () => scope.db.all(recordsOf, { team: scope.team, ...ids }));
  return new Map(found.map((row) => [row.id, row]));
}
