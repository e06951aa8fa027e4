import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Box } from '../crypto/secretbox.ts';
import type { ListPage, PageRow } from '../database/json-page.ts';
import { type ChangePage, type ChangeSort, changeSorts, firstPlace, type Cursor, type Placed, type Sort } from '../database/sorted-page.ts';
import { isUuid, smallestId } from '../identifiers.ts';
import { problems } from '../problems.ts';
import type { ReadScope } from '../scope.ts';
import { reading } from './scope.ts';

/** The `limit` and `cursor` parameters of lists. With either, the response is one page. */
export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 500, description: 'The maximum number of items; the Link header has the next page' }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'The start of the page, from the Link header of the previous page' })),
};

/** Additional parameters for lists of changing resources. */
export const changeQuery = {
  sort: Type.Optional(Type.Enum([...changeSorts], { description: 'The sort order; by default by creation. A minus reverses the order' })),
  updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Only items that changed at this time or later' })),
};

/** The search parameter of a list with the names of the searched texts. */
export const searchFilter = (texts: string) => ({
  q: Type.Optional(Type.String({ maxLength: 200, description: `Only items with this part of the ${texts}, in upper or lower case` })),
});

/** Selects items of a list by their identifiers. */
export const idsFilter = {
  ids: Type.Optional(
    Type.Array(Type.String({ format: 'uuid' }), {
      maxItems: 100,
      description: 'Only the items with these identifiers; repeat it for several. Items that you cannot see are absent',
    }),
  ),
};

const writtenTime = /^(\d{4,5})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:\+00|Z)$/;

/** Returns whether a part of a cursor is a time in the format of PostgreSQL. A time that PostgreSQL cannot read would cause a 500. */
export function isWrittenTime(text: string): boolean {
  if (text === 'infinity') return true;
  const found = writtenTime.exec(text);
  if (!found) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
}

type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

/** Returns the page of a sorted list that a request selects. Throws 400 for a cursor of another list or order. */
export function sortedPage<S extends Sort>(query: PageQuery & { sort?: S | undefined }, fallback: S): Cursor & { sort: S; limit: number } {
  const { limit, cursor, sort = fallback } = query;
  const page = { sort, limit: pageSize({ limit, cursor }) };
  if (cursor === undefined) return { ...page, ...firstPlace(sort) };
  const [afterTime = '', after = ''] = decodeCursor(cursor, 2);
  if (!isUuid(after) || (!sort.endsWith('createdAt') && !isWrittenTime(afterTime))) throw malformedCursor();
  return { ...page, afterTime, after };
}

/** Returns the page of a list with {@link changeQuery}. `most` is the number of items without `limit`. */
export function changePage(
  { updatedSince, ...query }: PageQuery & { sort?: ChangeSort | undefined; updatedSince?: string | undefined },
  most = maxItems,
): ChangePage {
  return { ...sortedPage<ChangeSort>({ ...query, limit: pageSize(query, most) }, 'createdAt'), since: updatedSince ?? null };
}

/** Returns the page of a list in the order of its identifiers, starting after the identifier `after`. Throws 400 for a cursor of another list. */
export function idPage(query: PageQuery, most = maxItems): { after: string; limit: number } {
  return { after: idOfCursor(query.cursor) ?? smallestId, limit: pageSize(query, most) };
}

/** Returns the identifier in a cursor; undefined without a cursor. Throws 400 for a cursor of another list. */
export function idOfCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [id = ''] = decodeCursor(cursor, 1);
  if (!isUuid(id)) throw malformedCursor();
  return id;
}

/**
 * Returns the page of a list with the newest items first, starting before the time and identifier in `before`. Throws 400 for a cursor of another
 * list.
 */
export function newestFirst(query: PageQuery, most: number): { before: string | null; beforeId: string | null; limit: number } {
  const place = timeOfCursor(query.cursor);
  return { before: place?.time ?? null, beforeId: place?.id ?? null, limit: pageSize(query, most) };
}

/** Returns the time and the identifier in a cursor; undefined without a cursor. Throws 400 for a cursor of another list. */
export function timeOfCursor(cursor: string | undefined): { time: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  if (!isUuid(id) || !isWrittenTime(time)) throw malformedCursor();
  return { time, id };
}

/** A request for a list with parameters `Query`. */
type ListRequest<Query> = FastifyRequest & { query: Query };

/** Maximum number of items that a count counts. */
const maxCounted = 1_000;

/** Returns the parameters of the first page of a list up to the limit of a count. The order does not matter for a count. */
const countedPage = <Query extends PageQuery>(query: Query): Query => ({ ...query, limit: maxCounted, cursor: undefined, sort: undefined });

/**
 * Whether the caller prefers a count (RFC 7240): `count=exact` or `count=planned`. Both are counted, because an estimate of the planner would
 * include resources that the caller cannot see.
 */
function prefersCount(request: FastifyRequest): boolean {
  const { prefer = '' } = request.headers;
  return String(prefer)
    .split(',')
    .some((preference) => /^\s*count\s*=\s*(?:exact|planned|"exact"|"planned")\s*(?:;|$)/i.test(preference));
}

/** Sends the number of items in all pages of a list, such as `12`, or `1000+` if there are more. */
function sendCount(reply: FastifyReply, total: number, more: boolean): void {
  reply.headers({ 'x-total-count': `${total}${more ? '+' : ''}`, 'preference-applied': 'count=exact' });
}

/** Replaces the statement of a list with its count. */
const counting = (scope: ReadScope): ReadScope => ({
  ...scope,
  db: {
    ...scope.db,
    first: async (statement, params) => {
      if (!statement.counts) return scope.db.first(statement, params);
      const counted = await scope.db.first(statement.counts, params);
      return counted && { ...counted, body: '[]', total: Number((counted as Partial<PageRow>).body) };
    },
  },
});

/**
 * Returns the first `limit` items of a list. `read` returns one more item if another page follows; then the response links to that page. If the caller
 * prefers a count, reads the list again up to the limit of a count. `keyOf` returns the sort key of an item, for the cursor.
 */
export async function answerPage<T, Query extends PageQuery>(
  reply: FastifyReply,
  request: ListRequest<Query>,
  read: (query: Query) => Promise<{ found: readonly T[]; limit: number; keyOf: (item: T) => readonly string[] }>,
): Promise<T[]> {
  const { found, limit, keyOf } = await read(request.query);
  if (prefersCount(request)) {
    const all = await read(countedPage(request.query));
    sendCount(reply, Math.min(all.found.length, all.limit), all.found.length > all.limit);
  }
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (last !== undefined && found.length > limit) linkNext(reply, request, encodeCursor(keyOf(last)));
  return page;
}

/** Like {@link answerPage}, for items with their sort key. */
export async function placedPage<T, Query extends PageQuery>(
  reply: FastifyReply,
  request: ListRequest<Query>,
  read: (query: Query) => Promise<{ found: readonly Placed<T>[]; limit: number }>,
): Promise<T[]> {
  const keyOf = ({ place }: Placed<T>) => place;
  return (await answerPage(reply, request, async (query) => ({ ...(await read(query)), keyOf }))).map(({ thing }) => thing);
}

/** The maximum number of items in a list without `limit`. */
export const maxItems = 10_000;
/** The page size with a cursor and without `limit`. */
const plainPage = 500;

/** Returns the maximum number of items in a response: `most` without `limit` and `cursor`. */
export function pageSize({ limit, cursor }: PageQuery, most = maxItems): number {
  return limit ?? (cursor === undefined ? most : Math.min(most, plainPage));
}

/**
 * Sends a page that the database serialized, and links to the next page if there is one. If the caller prefers a count, `read` also counts the items,
 * with the same access and filters.
 */
export async function sendPage<Query extends PageQuery>(
  reply: FastifyReply,
  request: ListRequest<Query>,
  read: (scope: ReadScope, query: Query) => Promise<ListPage | undefined>,
): Promise<never> {
  const scope = reading(request);
  const page = await read(scope, request.query);
  if (prefersCount(request)) {
    const counted = await read(counting(scope), countedPage(request.query));
    sendCount(reply, counted?.total ?? 0, counted?.more ?? false);
  }
  if (page?.more && page.last) linkNext(reply, request, encodeCursor(page.last));
  return reply
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(page?.body ?? '[]') as never;
}

/** Returns the distinct values of a member on a page. */
export const distinctOn = (page: ListPage | undefined, name: string): string[] => [
  ...new Set((JSON.parse(page?.body ?? '[]') as Record<string, string>[]).map((item) => item[name] ?? '')),
];

/** Encodes the start of the next page as a cursor, which is opaque to clients. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Decodes a cursor. Throws 400 if this service did not create it. */
export function decodeCursor(cursor: string, members: number): string[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(position) && position.length === members && position.every((part) => typeof part === 'string')) return position;
  } catch {
    // The error is thrown below.
  }
  throw malformedCursor();
}

/** Padding length of the cursor content, which hides its actual length. */
const sealedLength = 160;

/**
 * Encrypts the position in a list that skips invisible items. The position can be that of an invisible item, so neither the cursor
 * nor its length may disclose it. `boundTo` names the list and the caller.
 */
export const sealPlace = (box: Box, boundTo: string, position: readonly string[]): string[] => [
  box.seal(JSON.stringify(position).padEnd(sealedLength), boundTo).toString('base64url'),
];

/** Decrypts a cursor of {@link sealPlace}. Throws 400 if this service did not create it. */
export function sealedPlace(box: Box, boundTo: string, cursor: string): string[] {
  const [sealed = ''] = decodeCursor(cursor, 1);
  try {
    return JSON.parse(box.open(Buffer.from(sealed, 'base64url'), boundTo).toString()) as string[];
  } catch {
    throw malformedCursor();
  }
}

export function malformedCursor() {
  return problems.validation_failed('`cursor` does not come from this operation. Omit it to start at the first page.', {
    errors: [{ name: 'cursor', pointer: '/cursor', reason: 'is not a cursor of this list', rule: 'cursor' }],
  });
}

/** Links to the next page (RFC 8288) with the filters of this request. */
export function linkNext(reply: FastifyReply, request: FastifyRequest, cursor: string): void {
  const [path = '', query = ''] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  reply.header('link', `<${request.server.baseUrl}${path}?${parameters.toString()}>; rel="next"`);
}
