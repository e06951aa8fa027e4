import type { Scope } from '../../platform/scope.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** The error for a change of a document with an open signature request. */
export const isBeingSigned = (id: string) =>
  documentProblems.signature_pending(
    `The document has an open signature request or is being sealed. Wait until the request has ended, or void it: GET /api/v1/signatures?documentId=${id} shows it.`,
  );

/** Rejects a change of a document with an open signature request. The caller must hold the lock of the document. Errors: 409 `signature_pending`. */
export async function refuseBeingSigned({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<void> {
  if (await db.first(queries.openSignatureOf, { team, id })) throw isBeingSigned(id);
}

/** Rejects the deletion of a folder if a document that goes to the bin with it has an open signature request. Errors: 409 `signature_pending`. */
export async function refuseSignedInFolder({ db, team }: Pick<Scope, 'db' | 'team'>, folder: string): Promise<void> {
  if (await db.first(queries.signedInFolder, { team, folder }))
    throw documentProblems.signature_pending(
      'A document in this folder or in a folder below has an open signature request or is being sealed. Wait until the request has ended, or void it.',
    );
}
