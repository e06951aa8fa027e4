import { viewerOf, viewOf } from '#access';
import { decodeCursor, encodeCursor, malformedCursor } from '../../platform/http/page.ts';
import { isUuid, largestId } from '../../platform/identifiers.ts';
import { recordAct } from '../../platform/journal/record.ts';
import { byRoleAlone } from '../../platform/reasons.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { documentFound } from '../events.ts';
import { labelKeys } from '../labels.ts';
import { accessToDocument } from '../policy.ts';
import { reachDocuments } from '../queries.ts';
import type { Document } from '../schemas.ts';
import { partsOf, plain } from './passages.ts';
import * as queries from './queries.ts';
import type { Hit } from './schemas.ts';

export type Search = { q: string; label?: string[] | undefined; limit?: number | undefined; cursor?: string | undefined };
export type Found = { hits: Hit[]; next?: string };

/** So many that may be it are put in order; where there are more, the newest come first. */
const mostRanked = 500;
/** So many a page looks at; where there are more, it walks past the documents that are open to the caller instead. */
const mostFound = 1_500;
/** Most pages are full after so many for each of their places: the others are looked at where one is not. */
const firstLook = 3;
const usualPage = 20;

/** Where a page begins: behind a rank, or, where many documents have what is looked for, behind an identifier. */
type Place = { rank: number | undefined; id: string };

function placeOf(cursor: string): Place {
  const [rank = '', id = ''] = decodeCursor(cursor, 2);
  if (!isUuid(id) || !/^(?:newest|\d(?:\.\d{1,12})?(?:e-\d{1,2})?)$/.test(rank)) throw malformedCursor();
  return { rank: rank === 'newest' ? undefined : Number(rank), id };
}

/**
 * Finds documents that the actor may read by words of their titles and of the text of their newest versions, a page of them. The
 * statements show nothing that is not open; what is shown is judged once more by the policy that judges a download. `Scope` has an
 * administrator's look into what is open to them by their role alone recorded. Errors: 400 for a cursor of another list.
 */
export async function searchDocuments(scope: ReadScope | Scope, { q: asked, label, limit = usualPage, cursor }: Search): Promise<Found> {
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const { team } = scope;
  const q = plain(asked).trim();
  if (q === '') return { hits: [] };
  const inOrder = place?.rank !== undefined;
  const before = place && !inOrder ? place.id : largestId;
  const sought = await scope.db.first(queries.soughtDocuments, { team, q, inOrder, most: mostFound, before });
  if (!sought) return { hits: [] };
  const { ids, by_words: byWords, counted, ...wanted } = sought;
  const params = { team, q, ...wanted, ...viewerOf(scope.actor), labels: labelKeys(label), limit, ids, byWords };
  const ranks = place ? inOrder : ids.length <= mostRanked;
  const { rows, next } =
    !inOrder && (counted === null || counted > mostFound)
      ? await newest(scope, params, before)
      : await (ranks ? ranked(scope, params, place) : newestAmong(scope, params));
  const hits = await judged(scope, rows);
  return next === undefined ? { hits } : { hits, next: encodeCursor(next) };
}

type Params = Omit<Parameters<(typeof queries.rankedHits)['granted']['values']>[0], 'after' | 'afterRank'>;
type Page = { rows: queries.Hit[]; next: readonly string[] | undefined };

const firstOf = (params: Params, many: number): Params => ({
  ...params,
  ids: params.ids.slice(0, many),
  byWords: params.byWords.slice(0, many),
});

async function ranked(scope: ReadScope, params: Params, place: Place | undefined): Promise<Page> {
  if (params.ids.length === 0) return { rows: [], next: undefined };
  const from = { afterRank: place?.rank ?? 9, after: place?.id ?? largestId };
  const rows = await scope.db.all(queries.rankedHits[viewOf(scope.actor)], { ...firstOf(params, mostRanked), ...from });
  const page = rows.slice(0, params.limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > page.length ? [last.rank, last.id] : undefined };
}

/** The newest of those that the index found: a few are looked at first, and all where these do not fill the page. */
async function newestAmong(scope: ReadScope, params: Params): Promise<Page> {
  const statement = queries.newestAmong[viewOf(scope.actor)];
  const few = firstLook * params.limit;
  const first = await scope.db.all(statement, firstOf(params, few));
  const enough = first.length > params.limit || params.ids.length <= few;
  return newestPage(enough ? first : await scope.db.all(statement, params), params.limit, undefined);
}

/** The same where the index was not asked: documents that are open are walked past, the newest first. */
async function newest(scope: ReadScope, params: Params, after: string): Promise<Page> {
  const view = viewOf(scope.actor);
  const first = await scope.db.all(queries.newestHits.first[view], { ...params, after });
  const more = first.length <= params.limit && first[0]?.walked === queries.walked.first;
  const found = more ? await scope.db.all(queries.newestHits.most[view], { ...params, after }) : first;
  const [{ walked, last } = { walked: 0, last: null }] = found;
  const rows = found.filter((row): row is typeof row & queries.Hit => row.id !== null);
  return newestPage(rows, params.limit, walked === queries.walked[more ? 'most' : 'first'] ? last : undefined);
}

/** A page, and where the next begins: behind its last hit, or, where it is not full, behind the last that was looked at. */
function newestPage(rows: readonly queries.Hit[], limit: number, lookedAt: string | null | undefined): Page {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1)?.id : lookedAt;
  return { rows: page, next: last ? ['newest', last] : undefined };
}

/** What may be shown of what was found. */
async function judged(scope: ReadScope | Scope, rows: readonly queries.Hit[]): Promise<Hit[]> {
  if (rows.length === 0) return [];
  const { team, actor } = scope;
  const facts = await scope.db.all(reachDocuments, { team, ids: rows.map(({ id }) => id), ...viewerOf(actor) });
  const accesses = new Map(facts.map((one) => [one.id, accessToDocument(actor, one)]));
  const open = rows.filter(({ id }) => accesses.get(id) !== undefined);
  if ('listeners' in scope)
    for (const { id } of open) if (accesses.get(id)?.via === 'role') await recordAct(scope, documentFound, id, byRoleAlone);
  return open.map(({ item, title, passage }) => ({
    document: JSON.parse(item) as Document,
    title: partsOf(title),
    ...(passage === null ? {} : { passage: partsOf(passage) }),
  }));
}
