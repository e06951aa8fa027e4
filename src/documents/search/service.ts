import { viewerOf, viewOf } from '#folders';
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
const mostRanked = 1_000;
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
  const sought = await scope.db.first(queries.soughtDocuments, { team, q, most: mostRanked + 1 });
  if (!sought || sought.ids.length === 0) return { hits: [] };
  const { ids, ...wanted } = sought;
  const params = { team, q, ...wanted, ...viewerOf(scope.actor), labels: labelKeys(label), limit };
  const few = place ? place.rank !== undefined : ids.length <= mostRanked;
  const { rows, next } = await (few ? ranked(scope, { ...params, ids }, place) : newest(scope, params, place));
  const hits = await judged(scope, rows);
  return next === undefined ? { hits } : { hits, next: encodeCursor(next) };
}

type Params = Parameters<(typeof queries.rankedHits)['person']['values']>[0];
type Page = { rows: queries.Hit[]; next: readonly string[] | undefined };

async function ranked(scope: ReadScope, params: Omit<Params, 'after' | 'afterRank'>, place: Place | undefined): Promise<Page> {
  const from = { afterRank: place?.rank ?? 9, after: place?.id ?? largestId };
  const rows = await scope.db.all(queries.rankedHits[viewOf(scope.actor)], { ...params, ...from });
  const page = rows.slice(0, params.limit);
  const last = page.at(-1);
  return { rows: page, next: last && rows.length > page.length ? [last.rank, last.id] : undefined };
}

async function newest(scope: ReadScope, params: Omit<Params, 'after' | 'afterRank' | 'ids'>, place: Place | undefined): Promise<Page> {
  const found = await scope.db.all(queries.newestHits[viewOf(scope.actor)], { ...params, after: place?.id ?? largestId });
  const rows = found.filter((row): row is typeof row & queries.Hit => row.id !== null);
  const page = rows.slice(0, params.limit);
  if (rows.length > page.length) return { rows: page, next: ['newest', page.at(-1)?.id ?? largestId] };
  const [{ walked, last } = { walked: 0, last: null }] = found;
  return { rows: page, next: walked === queries.walked && last !== null ? ['newest', last] : undefined };
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
