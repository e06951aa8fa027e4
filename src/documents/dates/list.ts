import { viewerOf, viewOf } from '#folders';
import type { ListPage } from '../../platform/database/json-page.ts';
import { decodeCursor, malformedCursor, pageSize } from '../../platform/http/page.ts';
import { isUuid, smallestId } from '../../platform/identifiers.ts';
import type { ReadScope } from '../../platform/scope.ts';
import { comingDates } from './list-queries.ts';
import { dayIn } from './reckon.ts';
import { zoneFor } from './service.ts';

type Asked = { from?: string | undefined; before?: string | undefined; limit?: number | undefined; cursor?: string | undefined };

/** Days ahead that are listed, where nobody asks for others. */
const usualDays = 90;
/** A page of the dates that come, where nobody asks for more. */
const usualPage = 100;

/** A page of what comes of the documents that the actor may read, by day. Errors: 400 for a cursor of another list. */
export async function listComing(scope: ReadScope, { from, before, limit, cursor }: Asked): Promise<ListPage | undefined> {
  const today = dayIn(await zoneFor(scope), scope.now);
  return scope.db.first(comingDates[viewOf(scope.actor)], {
    team: scope.team,
    ...viewerOf(scope.actor),
    before: before ?? today.add({ days: usualDays }).toString(),
    ...placeOf(cursor, from ?? today.toString()),
    limit: pageSize({ limit, cursor }, usualPage),
  });
}

function placeOf(cursor: string | undefined, from: string) {
  if (cursor === undefined) return { afterDay: from, after: smallestId, afterKind: '' };
  const [afterDay = '', after = '', afterKind = ''] = decodeCursor(cursor, 3);
  if (!isUuid(after) || !isDay(afterDay)) throw malformedCursor();
  return { afterDay, after, afterKind };
}

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};
