import { viewerOf, viewOf } from '#access';
import { readableFolder } from '#folders';
import type { ListPage } from '../../platform/database/json-page.ts';
import { type ListSearch, searchParams } from '../../platform/database/list-filters.ts';
import { decodeCursor, isWrittenTime, malformedCursor, pageSize } from '../../platform/http/page.ts';
import { isUuid } from '../../platform/identifiers.ts';
import { Problem } from '../../platform/problems.ts';
import { type ReadScope, isTeamManager } from '../../platform/scope.ts';
import { labelKeys } from './labels.ts';
import { beginning, listDocuments as statements, listNarrowed } from './list-queries.ts';
import { eachExactFilter, type ExactFilter, type Sort } from './schemas.ts';

type DocumentFilters = ListSearch &
  Partial<Record<ExactFilter, string | undefined>> & {
    folderId?: string | undefined;
    matterId?: string | undefined;
    label?: string[] | undefined;
    updatedSince?: string | undefined;
  };
type PageRequest = { sort: Sort; after: string; afterValue: string | null; limit: number };

type PageQuery = { sort?: Sort | undefined; limit?: number | undefined; cursor?: string | undefined };

/** Returns the start and the size of a page. Errors: 400 for a cursor of another list or order. */
export function pageWanted({ sort = 'createdAt', limit, cursor }: PageQuery): PageRequest {
  const start = beginning[sort];
  if (cursor === undefined) return { sort, ...start, limit: pageSize({ limit }) };
  const [first = '', second] = decodeCursor(cursor, start.afterValue === null ? 1 : 2);
  const after = second ?? first;
  if (!isUuid(after) || (/updatedAt/.test(sort) && !isWrittenTime(first))) throw malformedCursor();
  return { sort, after, afterValue: second === undefined ? null : first, limit: pageSize({ limit, cursor }) };
}

/** Returns a page of documents that the actor may read as JSON text, or undefined if there are none. */
export async function listDocuments(
  scope: ReadScope,
  filters: DocumentFilters,
  { sort, ...page }: PageRequest,
): Promise<ListPage | undefined> {
  const { folderId, matterId } = filters;
  if (![folderId, matterId].every((id) => id === undefined || isUuid(id))) return undefined;
  const which = await placeOfList(scope, filters);
  const isNarrowed = Object.entries(filters).some(([name, value]) => name !== 'folderId' && value !== undefined);
  return scope.db.first((isNarrowed ? listNarrowed : statements)[which][sort], { ...params(scope, filters), ...page });
}

/** Returns a page of the actor’s own bin. Managers and API clients get the bin of the whole team. */
export async function listBin(scope: ReadScope, { sort, ...page }: PageRequest): Promise<ListPage | undefined> {
  const { actor } = scope;
  if ('folderIds' in actor && actor.folderIds !== undefined) return undefined;
  const which = actor.type === 'user' && !isTeamManager(actor) ? 'bin' : 'team bin';
  return scope.db.first(statements[which][sort], { ...params(scope, {}), ...page });
}

/** Returns the documents that a list reads: those of the view, of a folder or of a matter. */
async function placeOfList(scope: ReadScope, { folderId, matterId, ids }: DocumentFilters) {
  if (folderId !== undefined) return (await isOpen(scope, folderId)) ? 'folder' : 'given';
  if (matterId !== undefined && (await isOpen(scope, matterId, 'matter'))) return 'matter';
  const view = viewOf(scope.actor);
  if (ids === undefined) return view;
  return view === 'all' ? 'ids' : 'granted ids';
}

function params(scope: ReadScope, { folderId, matterId, q, ids, label, updatedSince, ...exact }: DocumentFilters) {
  return {
    team: scope.team,
    ...viewerOf(scope.actor),
    folder: folderId ?? null,
    matter: matterId ?? null,
    ...eachExactFilter((name) => exact[name] ?? null),
    ...searchParams({ q, ids }),
    labels: labelKeys(label),
    since: updatedSince ?? null,
    holds: isTeamManager(scope.actor),
  };
}

async function isOpen(scope: ReadScope, id: string, kind: 'folder' | 'matter' = 'folder'): Promise<boolean> {
  try {
    await readableFolder(scope, id, kind);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}
