import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { seen } from './lookup.ts';
import * as queries from './queries.ts';

/** A signature request for a detailed export. `isRequester`: whether the actor requested the signatures. */
export type RequestInWhole = {
  id: string;
  title: string;
  /** Its documents in order, each with the version to sign and the sealed version. */
  documents: { id: string; versions: number[] }[];
  isRequester: boolean;
};

/** Returns a request that the actor may view. Throws 404. */
export async function requestInWhole(scope: ReadScope | Scope, id: string): Promise<RequestInWhole> {
  const row = await seen(scope, id);
  const { actor } = scope;
  return {
    id: row.id,
    title: row.title,
    documents: row.documents.map(({ id: documentId, version, sealedVersion }) => ({
      id: documentId,
      versions: [version, ...(sealedVersion === null ? [] : [sealedVersion])],
    })),
    isRequester: actor.type !== 'system' && (row.requested_by === actor.id || row.owner_id === actor.id),
  };
}

/** Returns the newest requests about a document, optionally only those of a workflow, up to `limit`. */
export async function requestsAbout(
  { db, team }: Pick<ReadScope, 'db' | 'team'>,
  { document, workflow, limit }: { document: string; workflow?: string; limit: number },
): Promise<string[]> {
  return (await db.all(queries.requestsAbout, { team, document, workflow: workflow ?? null, limit })).map(({ id }) => id);
}

/** Returns the evidence of a request, in order. */
export function proofsOfRequest({ db, team }: Pick<ReadScope, 'db' | 'team'>, request: string): Promise<queries.EvidenceRow[]> {
  return db.all(queries.evidenceOf, { team, request });
}
