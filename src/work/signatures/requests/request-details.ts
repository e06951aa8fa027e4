import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { seen } from './lookup.ts';
import * as queries from './queries.ts';

/** A request for signatures of which somebody asks for all there is. `isRequester`: whether the actor requested the signatures. */
export type RequestInWhole = { id: string; title: string; documentId: string; versions: number[]; isRequester: boolean };

/** A request that the actor sees. `versions`: which of its document were sent to be signed, and were sealed. Errors: 404. */
export async function requestInWhole(scope: ReadScope | Scope, id: string): Promise<RequestInWhole> {
  const row = await seen(scope, id);
  const { actor } = scope;
  return {
    id: row.id,
    title: row.title,
    documentId: row.document_id,
    versions: [row.document_version, ...(row.sealed_version === null ? [] : [row.sealed_version])],
    isRequester: actor.type !== 'system' && (row.requested_by === actor.id || row.owner_id === actor.id),
  };
}

/** The requests about a document, or those of them that a workflow has made: the newest, at most so many. */
export async function requestsAbout(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  { document, workflow, limit }: { document: string; workflow?: string; limit: number },
): Promise<string[]> {
  return (await db.all(queries.requestsAbout, { team, document, workflow: workflow ?? null, limit })).map(({ id }) => id);
}

/** What proves the acts of a request, in their order. */
export function proofsOfRequest({ db, team }: Pick<ReadScope, 'db' | 'team'>, request: string): Promise<queries.EvidenceRow[]> {
  return db.all(queries.evidenceOf, { team, request });
}
