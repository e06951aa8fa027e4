import { callerOf, can, relationsOf } from '#access';
import { isList } from '#fields';
import type { ListPage } from '../../../platform/database/json-page.ts';
import type { MergedPage, MergedPart } from '../../../platform/database/merged-page.ts';
import { type ChangeSort } from '../../../platform/database/sorted-page.ts';
import { decodeCursor, isWrittenTime, malformedCursor, pageSize, sortedPage } from '../../../platform/http/page.ts';
import { isUuid, largestId, smallestId } from '../../../platform/identifiers.ts';
import { problems } from '../../../platform/problems.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { readableRegistry, type AccessibleRegistry } from '../access.ts';
import { asField } from '../fields.ts';
import { registriesToReview } from '../queries.ts';
import type { RegistryField } from '../schemas.ts';
import { type Conditions, readFilters, whole } from './filters.ts';
import { last } from './keys.ts';
import * as lists from './list-queries.ts';
import type { ListFilters } from './schemas.ts';

export type ListQuery = ListFilters & { limit?: number; cursor?: string; sort?: string };

/** Records on a page without `limit`. */
const usual = 100;

/** The order of a list: by a time or by a field. */
export type Order = { by: 'createdAt' | 'updatedAt' | { field: string }; way: lists.Way };

/** The registry and the state of the listed records, and the removed fields to omit. */
type Base = { team: string; registry: string; state: string; former: readonly string[]; since: string | null; limit: number };

/**
 * Returns a page of the records of a registry, as JSON text from the database.
 * Throws 400 for an invalid filter or order, 403 if a reader requests pending or deleted records, and 404.
 */
export async function listRecords(
  scope: ReadScope,
  typeId: string,
  query: ListQuery,
): Promise<AccessibleRegistry & { page: ListPage | undefined }> {
  const reached = await readableRegistry(scope, typeId);
  const { registry, access } = reached;
  const { status = 'active', filter = [], q, updatedSince } = query;
  if (status !== 'active' && !access.can('edit'))
    throw problems.forbidden(
      'Only users who can change records can list records that wait for approval or are in the bin. Use `status=active`.',
    );
  const order = orderOf(registry.fields, query.sort);
  const conditions = readFilters(registry.fields, filter, q);
  const base = {
    team: scope.team,
    registry: registry.id,
    state: status,
    former: registry.former_fields,
    since: updatedSince ?? null,
    limit: pageSize(query, usual),
  };
  // Records in the bin have no keys.
  if (status === 'deleted' && (conditions.wanted.length > 0 || conditions.empty.length > 0 || typeof order.by === 'object'))
    throw problems.validation_failed('Sort the bin by `createdAt` or `updatedAt`, and list it without `filter` and `q`.', {
      errors: [{ name: 'status', pointer: '/status', reason: 'cannot be combined with filters', rule: 'status' }],
    });
  return { ...reached, page: await pageOf(scope, base, { order, conditions, cursor: query.cursor }) };
}

/** Parses `sort`. Throws 400. */
export function orderOf(fields: readonly RegistryField[], sort = 'createdAt'): Order {
  const way = sort.startsWith('-') ? 'desc' : 'asc';
  const name = sort.replace(/^-/, '');
  if (name === 'createdAt' || name === 'updatedAt') return { by: name, way };
  const field = fields.find(({ id }) => id === name);
  if (field && isSortable(field)) return { by: { field: name }, way };
  const reason = field
    ? 'is a field with long texts or several values, so records cannot be sorted by it'
    : 'must be `createdAt`, `updatedAt` or a field of this registry';
  throw problems.validation_failed(`\`sort\` ${reason}.`, { errors: [{ name: 'sort', pointer: '/sort', reason, rule: 'sort' }] });
}

export const isSortable = (field: RegistryField): boolean => field.type !== 'textarea' && !isList(asField(field));

type ListRequest = { order: Order; conditions: Conditions; cursor?: string | undefined };

/** Returns a page in any order and with any conditions. */
export async function pageOf(
  scope: Pick<ReadScope, 'db'>,
  base: Base,
  { order, conditions, cursor }: ListRequest,
): Promise<ListPage | undefined> {
  const { by, way } = order;
  const plain = conditions.wanted.length === 0 && conditions.empty.length === 0;
  if (plain && typeof by === 'string') {
    const sort: ChangeSort = way === 'asc' ? by : `-${by}`;
    const { sort: _, limit: __, ...place } = sortedPage<ChangeSort>({ cursor, sort }, 'createdAt');
    return scope.db.first(lists.listRecords[sort], { ...base, ...place });
  }
  const place = placeOf(by, cursor);
  if (plain && typeof by === 'object') return walkAll(scope, base, { field: by.field, way, place });
  const range = typeof by === 'object' ? oneRange(conditions, by.field) : undefined;
  if (range && typeof by === 'object') return walk(scope, base, { field: by.field, way, range, place });
  return gather(scope, base, { order, conditions, place });
}

type At = { afterKey: string; afterId: string | null };

/** Decodes a cursor. An empty key means the records without a value. */
function placeOf(by: Order['by'], cursor: string | undefined): At {
  if (cursor === undefined) return { afterKey: by === 'updatedAt' ? 'infinity' : '', afterId: null };
  const [afterKey = '', afterId = ''] = decodeCursor(cursor, 2);
  const broken = by === 'updatedAt' ? !isWrittenTime(afterKey) : afterKey.includes('\0') || !afterKey.isWellFormed();
  if (broken || !isUuid(afterId)) throw malformedCursor();
  return { afterKey, afterId };
}

/** Returns the only condition if it is a range of the sort field. */
function oneRange({ wanted, empty }: Conditions, field: string): lists.KeyRange | undefined {
  const [only] = wanted;
  if (wanted.length !== 1 || empty.length > 0 || only?.length !== 1) return undefined;
  const [range] = only;
  return range && range.fields.length === 1 && range.fields[0] === field ? range : undefined;
}

type Walk = { field: string; way: lists.Way; place: At };

function walk(
  scope: Pick<ReadScope, 'db'>,
  base: Base,
  { field, way, range, place }: Walk & { range: lists.KeyRange },
): Promise<ListPage | undefined> {
  const first = way === 'asc' ? { afterKey: '', after: smallestId } : { afterKey: last, after: largestId };
  const at = place.afterId === null ? first : { afterKey: place.afterKey, after: place.afterId };
  return scope.db.first(lists.walkValues[way], { ...base, field, ...range, ...at });
}

/** Returns all records in the order of a field. Records without a value follow, by creation. */
async function walkAll(scope: Pick<ReadScope, 'db'>, base: Base, { field, way, place }: Walk): Promise<ListPage | undefined> {
  const without = { order: { by: 'createdAt' as const, way }, conditions: { wanted: [], empty: [field] } };
  if (place.afterId !== null && place.afterKey === '') return gather(scope, base, { ...without, place });
  const found = await walk(scope, base, { field, way, range: whole, place });
  if (!found || found.more) return found;
  const filled = found.body === '[]' ? 0 : (JSON.parse(found.body) as unknown[]).length;
  const rest = await gather(scope, { ...base, limit: base.limit - filled }, { ...without, place: { afterKey: '', afterId: null } });
  if (!rest || rest.body === '[]') return { ...found, more: rest?.more ?? false };
  return { ...rest, body: found.body === '[]' ? rest.body : `${found.body.slice(0, -1)},${rest.body.slice(1)}` };
}

/** Finds the records that match all conditions, by a count of the matches of each record. */
function gather(
  scope: Pick<ReadScope, 'db'>,
  base: Base,
  { order: { by, way }, conditions, place }: { order: Order; conditions: Conditions; place: At },
): Promise<ListPage | undefined> {
  const sorted = typeof by === 'object' ? [{ n: 0, fields: [by.field], ...whole }] : [];
  const wanted: lists.ValueRange[] = [
    ...conditions.wanted.flatMap((any, at) => any.map((one) => ({ n: at + 1, ...one }))),
    ...sorted,
    ...(conditions.empty.length > 0 ? [{ n: -1, fields: conditions.empty, ...whole }] : []),
  ];
  return scope.db.first(lists.listRecordsBySort[typeof by === 'object' ? 'key' : by][way], {
    ...base,
    wanted: JSON.stringify(wanted),
    met: conditions.wanted.length,
    base: conditions.wanted.length === 0,
    ...place,
  });
}

/** Returns the records that wait for approval, of the registries whose records the actor can change. */
export async function recordsToReview({ db, team, actor }: ReadScope, page: MergedPage): Promise<MergedPart[]> {
  const all = await db.all(registriesToReview, { team, ...callerOf(actor) });
  const found = all.filter((registry) => can(actor, 'registry', 'edit', relationsOf(registry)));
  const registries = { registries: found.map(({ id }) => id), names: found.map(({ name }) => name) };
  return found.length === 0 ? [] : db.all(lists.recordsToReview, { team, ...registries, ...page });
}
