import { viewerOf, viewOf } from '#access';
import type { Box } from '../../../platform/crypto/secretbox.ts';
import type { ListPage } from '../../../platform/database/json-page.ts';
import { pageSize, sealedPlace, sealPlace } from '../../../platform/http/page.ts';
import { smallestId } from '../../../platform/identifiers.ts';
import type { ReadScope } from '../../../platform/scope.ts';
import { comingDates } from './list-queries.ts';
import { dayIn } from './calculate.ts';
import { zoneFor } from './service.ts';

type DatesQuery = { from?: string | undefined; before?: string | undefined; limit?: number | undefined; cursor?: string | undefined };

/** Days ahead that the list covers by default. */
const usualDays = 90;
/** The default page size. */
const usualPage = 100;

/** Returns a page of the coming dates of documents that the actor may read, by day. Errors: 400 for a cursor of another list. */
export async function listComing(
  places: Box,
  scope: ReadScope,
  { from, before, limit, cursor }: DatesQuery,
): Promise<ListPage | undefined> {
  const today = dayIn(await zoneFor(scope), scope.now);
  const boundTo = `document dates ${scope.team}`;
  const begins = cursor === undefined ? [from ?? today.toString(), smallestId, ''] : sealedPlace(places, boundTo, cursor);
  const [afterDay = '', after = '', afterKind = ''] = begins;
  const page = await scope.db.first(comingDates[viewOf(scope.actor)], {
    team: scope.team,
    ...viewerOf(scope.actor),
    before: before ?? today.add({ days: usualDays }).toString(),
    afterDay,
    after,
    afterKind,
    limit: pageSize({ limit, cursor }, usualPage),
  });
  return page?.last ? { ...page, last: sealPlace(places, boundTo, page.last) } : page;
}
