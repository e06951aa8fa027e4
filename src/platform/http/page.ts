import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Box } from '../crypto/secretbox.ts';
import type { ListPage } from '../database/json-page.ts';
import { type ChangePage, type ChangeSort, changeSorts, firstPlace, type Cursor, type Placed, type Sort } from '../database/sorted-page.ts';
import { isUuid, smallestId } from '../identifiers.ts';
import { problems } from '../problems.ts';

/** `limit` and `cursor`, which any list takes: with either, the array is one page. */
export const pageQuery = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'At most so many; the next page is in the Link header' })),
  cursor: Type.Optional(
    Type.String({ maxLength: 400, description: 'Where the page begins: taken from the Link header of the page before' }),
  ),
};

/** What a list of things that change takes besides. */
export const changeQuery = {
  sort: Type.Optional(Type.Enum([...changeSorts], { description: 'By age without it; a minus turns the order round' })),
  updatedSince: Type.Optional(Type.String({ format: 'date-time', description: 'Changed at this time or later' })),
};

const writtenTime = /^(\d{4,5})-(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:\.\d{1,6})?(?:\+00|Z)$/;

/** Whether a part of a cursor is a time as the database writes it, and reads it again: one that it cannot read would be a fault of ours. */
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

/** The page of a sorted list that a request asks for. Errors: 400 for a cursor of another list or order. */
export function sortedPage<S extends Sort>(query: PageQuery & { sort?: S | undefined }, fallback: S): Cursor & { sort: S; limit: number } {
  const { limit, cursor, sort = fallback } = query;
  const page = { sort, limit: pageSize({ limit, cursor }) };
  if (cursor === undefined) return { ...page, ...firstPlace(sort) };
  const [afterTime = '', after = ''] = decodeCursor(cursor, 2);
  if (!isUuid(after) || (!sort.endsWith('createdAt') && !isWrittenTime(afterTime))) throw malformedCursor();
  return { ...page, afterTime, after };
}

/** The page of a list that takes {@link changeQuery}, of at most `most` things where the request names no `limit`. */
export function changePage(
  { updatedSince, ...query }: PageQuery & { sort?: ChangeSort | undefined; updatedSince?: string | undefined },
  most = maxItems,
): ChangePage {
  return { ...sortedPage<ChangeSort>({ ...query, limit: pageSize(query, most) }, 'createdAt'), since: updatedSince ?? null };
}

/** The page of a list in the order of its identifiers: it begins `after` one. Errors: 400 for a cursor of another list. */
export function idPage(query: PageQuery, most = maxItems): { after: string; limit: number } {
  return { after: idOfCursor(query.cursor) ?? smallestId, limit: pageSize(query, most) };
}

/** The identifier that a cursor holds; nothing without a cursor. Errors: 400 for a cursor of another list. */
export function idOfCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [id = ''] = decodeCursor(cursor, 1);
  if (!isUuid(id)) throw malformedCursor();
  return id;
}

/** The page of a list from the newest to the oldest: it begins `before` a time and an identifier. Errors: 400. */
export function newestFirst(query: PageQuery, most: number): { before: string | null; beforeId: string | null; limit: number } {
  const place = timeOfCursor(query.cursor);
  return { before: place?.time ?? null, beforeId: place?.id ?? null, limit: pageSize(query, most) };
}

/** The time and the identifier that a cursor holds; nothing without a cursor. Errors: 400 for a cursor of another list. */
export function timeOfCursor(cursor: string | undefined): { time: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [time = '', id = ''] = decodeCursor(cursor, 2);
  if (!isUuid(id) || !isWrittenTime(time)) throw malformedCursor();
  return { time, id };
}

/**
 * Answers with the first `limit` of what was found, which is one more where another page follows, and links to that.
 * `placeOf` says where a thing stands: what the cursor of the page after it holds.
 */
export function answerPage<T>(
  reply: FastifyReply,
  request: FastifyRequest,
  { found, limit }: { found: readonly T[]; limit: number },
  placeOf: (thing: T) => readonly string[],
): T[] {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  if (last !== undefined && found.length > limit) linkNext(reply, request, encodeCursor(placeOf(last)));
  return page;
}

/** The same for things that come with their place. */
export function placedPage<T>(reply: FastifyReply, request: FastifyRequest, found: readonly Placed<T>[], limit: number): T[] {
  return answerPage(reply, request, { found, limit }, ({ place }) => place).map(({ thing }) => thing);
}

/** A list without `limit` answers at most so many, and links on. */
export const maxItems = 10_000;
/** A page that a cursor asks for without `limit`. */
const plainPage = 500;

/** How many things a request for a list is answered with at most: `most` where it names neither `limit` nor `cursor`. */
export function pageSize({ limit, cursor }: PageQuery, most = maxItems): number {
  return limit ?? (cursor === undefined ? most : Math.min(most, plainPage));
}

/** Answers with a page that the database wrote, and links to the next one where there is one. */
export function sendPage(reply: FastifyReply, request: FastifyRequest, page: ListPage | undefined): FastifyReply {
  if (page?.more && page.last) linkNext(reply, request, encodeCursor(page.last));
  return reply
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(page?.body ?? '[]');
}

/** A cursor holds where the next page begins; opaque to clients. */
export function encodeCursor(position: readonly string[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** Reads a cursor back. One that was not given out here is a 400. */
export function decodeCursor(cursor: string, members: number): string[] {
  try {
    const position: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    if (Array.isArray(position) && position.length === members && position.every((part) => typeof part === 'string')) return position;
  } catch {
    // Falls through to the refusal.
  }
  throw malformedCursor();
}

/** A cursor is no longer than this, whatever it holds. */
const sealedLength = 160;

/**
 * The place in a list that passes over what the caller may not see: it may be where one of those stands, so nobody reads it from the
 * cursor, not even by its length. `boundTo` names the list and whose it is.
 */
export const sealPlace = (box: Box, boundTo: string, position: readonly string[]): string[] => [
  box.seal(JSON.stringify(position).padEnd(sealedLength), boundTo).toString('base64url'),
];

/** Reads from a cursor what {@link sealPlace} has made. One that was not given out here is a 400. */
export function sealedPlace(box: Box, boundTo: string, cursor: string): string[] {
  const [sealed = ''] = decodeCursor(cursor, 1);
  try {
    return JSON.parse(box.open(Buffer.from(sealed, 'base64url'), boundTo).toString()) as string[];
  } catch {
    throw malformedCursor();
  }
}

export function malformedCursor() {
  return problems.validation_failed('`cursor` is not one that this operation gave out. Leave it out to begin at the first page.', {
    errors: [{ name: 'cursor', pointer: '/cursor', reason: 'is not a cursor of this list', rule: 'cursor' }],
  });
}

/** Points to the next page (RFC 8288), keeping the filters of this request. */
export function linkNext(reply: FastifyReply, request: FastifyRequest, cursor: string): void {
  const [path = '', query = ''] = request.url.split('?', 2);
  const parameters = new URLSearchParams(query);
  parameters.set('cursor', cursor);
  reply.header('link', `<${request.server.baseUrl}${path}?${parameters.toString()}>; rel="next"`);
}
