import type { Scope } from '../../platform/scope.ts';
import { documentProblems } from './problems.ts';
import * as queries from './queries.ts';

/** What is said where people are asked to sign a document already. */
export const isBeingSigned = () =>
  documentProblems.signature_pending(
    'People are asked to sign this document, or it is being sealed. Wait until the request for signatures has ended, or void it.',
  );

/** Refuses to change what people are asked to sign; the caller holds the document. Errors: 409 `signature_pending`. */
export async function refuseBeingSigned({ db, team }: Pick<Scope, 'db' | 'team'>, id: string): Promise<void> {
  if (await db.first(queries.beingSigned, { team, id })) throw isBeingSigned();
}

/** The same of all that went to the bin with a folder. Errors: 409 `signature_pending`. */
export async function refuseSignedInFolder({ db, team }: Pick<Scope, 'db' | 'team'>, folder: string): Promise<void> {
  if (await db.first(queries.signedInFolder, { team, folder }))
    throw documentProblems.signature_pending(
      'People are asked to sign a document that lies in this folder or below, or it is being sealed. Wait until that has ended, or void the request.',
    );
}
