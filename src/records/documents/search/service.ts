import { viewerOf, viewOf } from '#access';
import { decodeCursor, encodeCursor, malformedCursor } from '../../../platform/http/page.ts';
import { isUuid, largestId } from '../../../platform/identifiers.ts';
import { recordAudit } from '../../../platform/journal/record.ts';
import { roleOnly } from '../../../platform/access-reason.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../../platform/scope.ts';
import { documentFound } from '../events.ts';
import { labelKeys } from '../labels.ts';
import { accessToDocument } from '../policy.ts';
import { reachDocuments } from '../queries.ts';
import type { Document } from '../schemas.ts';
import { partsOf, plain } from './passages.ts';
import * as queries from './queries.ts';
import type { Hit } from './schemas.ts';

export type Search = { q: string; label?: string[] | undefined; limit?: number | undefined; cursor?: string | undefined };
export type SearchResult = { hits: Hit[]; next?: string };

/** Maximum number of matches that are ranked. If there are more, the newest come first. */
const maxRanked = 500;
/** Maximum number of matches that are read from the index. If there are more, a page comes from a scan of the documents that the caller may read. */
const maxFound = 1_500;
/** No limit of ranked matches. */
const any = 1_000_000;
const usualPage = 20;

/** The start of a page: after a rank, or after an identifier if too many documents match. */
type SearchCursor = { rank: number | undefined; id: string };

function placeOf(cursor: string): SearchCursor {
  const [rank = '', id = ''] = decodeCursor(cursor, 2);
  if (!isUuid(id) || !/^(?:newest|\d(?:\.\d{1,12})?(?:e-\d{1,2})?)$/.test(rank)) throw malformedCursor();
  return { rank: rank === 'newest' ? undefined : Number(rank), id };
}

/**
 * Searches documents that the actor may read by title and by the text of their newest versions, and returns a page. Errors: 400 for a cursor of
 * another list.
 */
export async function searchDocuments(scope: ReadScope, { q: query, label, limit = usualPage, cursor }: Search): Promise<SearchResult> {
  const place = cursor === undefined ? undefined : placeOf(cursor);
  const { db, team, actor } = scope;
  const q = plain(query).trim();
  if (q === '') return { hits: [] };
  const ranked = !place ? maxRanked : place.rank === undefined ? 0 : any;
  const rows = await db.all(queries.searchedDocuments[viewOf(actor)], {
    team,
    q,
    ...viewerOf(actor),
    labels: labelKeys(label) ?? [],
    most: maxFound,
    ranked,
    afterRank: place ? (place.rank ?? 0) : 9,
    after: place?.id ?? largestId,
    limit,
  });
  const matches = rows.filter((row): row is typeof row & queries.Hit => row.id !== null);
  const hits = matches.slice(0, limit).map(({ item, title, passage }) => ({
    document: JSON.parse(item) as Document,
    title: partsOf(title),
    ...(passage === null ? {} : { passage: partsOf(passage) }),
  }));
  const [{ found, walks, last } = { found: 0, walks: false, last: null }] = rows;
  const end = matches.length > limit ? matches[limit - 1] : undefined;
  if (end && !walks && found <= ranked) return { hits, next: encodeCursor([String(end.rank), end.id]) };
  const id = end?.id ?? last;
  return id === null ? { hits } : { hits, next: encodeCursor(['newest', id]) };
}

/** The hits that an owner or administrator of the team sees by role alone. */
export async function hitsByRole({ db, team, actor }: ReadScope, hits: readonly Hit[]): Promise<string[]> {
  if (!isTeamManager(actor)) return [];
  const { user } = viewerOf(actor);
  const ids = hits.filter(({ document }) => document.userId !== user).map(({ document }) => document.id);
  if (ids.length === 0) return [];
  const facts = await db.all(reachDocuments, { team, ids, ...viewerOf(actor) });
  return facts.filter((one) => accessToDocument(actor, one)?.via === 'role').map(({ id }) => id);
}

/** Records that the actor found these documents by role. */
export async function recordFound(scope: Scope, ids: readonly string[]): Promise<void> {
  for (const id of ids) await recordAudit(scope, documentFound, id, roleOnly);
}
