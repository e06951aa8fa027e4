import { legalHoldError, lockTreesShared } from '#folders';
import { isUuid } from '../../../platform/identifiers.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../../platform/scope.ts';
import * as queries from './queries.ts';

/** Rejects the deletion of a document under a legal hold. The caller holds the tree locks. Errors: 409 `legal_hold_active`. */
export async function refuseUnderHold({ db, team }: Pick<Scope, 'db' | 'team'>, document: string): Promise<void> {
  const found = await db.first(queries.hasLegalHold, { team, document });
  if (found?.on_hold === true) throw legalHoldError('this document or a folder above it');
}

/**
 * Rejects the deletion of a resource about documents, such as a workflow. `hold` locks and reads the resource, and `documentsOf` returns its
 * documents. Locks the trees first, by the lock order. Errors: 409 `legal_hold_active`.
 */
export async function refuseUnderHoldLocked<T>(
  scope: Scope,
  hold: () => Promise<T>,
  documentsOf: (held: T) => readonly string[],
): Promise<T> {
  lockTreesShared(scope);
  const thing = await hold();
  for (const document of documentsOf(thing)) {
    const found = await scope.db.first(queries.hasLegalHold, { team: scope.team, document });
    if (found?.on_hold === true) throw legalHoldError('the document of this resource');
  }
  return thing;
}

/** Returns `legalHold` for a document that the actor reads. Only owner and administrators may see holds. */
export async function legalHoldShown({ db, team, actor }: ReadScope | Scope, document: string): Promise<{ legalHold?: true }> {
  if (!isTeamManager(actor) || !isUuid(document)) return {};
  return (await db.first(queries.hasLegalHold, { team, document }))?.on_hold === true ? { legalHold: true } : {};
}
