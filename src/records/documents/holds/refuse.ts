import { legalHoldError, holdTrees } from '#folders';
import { isUuid } from '../../../platform/identifiers.ts';
import { type ReadScope, isTeamManager, type Scope } from '../../../platform/scope.ts';
import * as queries from './queries.ts';

/** Refuses to delete a document that a legal hold stands on; the caller holds the trees. Errors: 409 `legal_hold_active`. */
export async function refuseUnderHold({ db, team }: Pick<Scope, 'db' | 'team'>, document: string): Promise<void> {
  const found = await db.first(queries.hasLegalHold, { team, document });
  if (found?.on_hold === true) throw legalHoldError('this document, or on a folder that it lies in');
}

/**
 * The same for what is about a document, such as a workflow: `hold` locks it and reads it, `documentOf` says which document of the
 * team it is about. The trees are held before, as the order of locks has it. Errors: 409 `legal_hold_active`.
 */
export async function refuseUnderHoldLocked<T>(scope: Scope, hold: () => Promise<T>, documentOf: (held: T) => string | null): Promise<T> {
  holdTrees(scope);
  const thing = await hold();
  const document = documentOf(thing);
  if (document === null) return thing;
  const found = await scope.db.first(queries.hasLegalHold, { team: scope.team, document });
  if (found?.on_hold === true) throw legalHoldError('the document that this is about');
  return thing;
}

/** What a document that the actor reads says of the legal holds on it: to those who may see them, who are the owner and the administrators. */
export async function holdShown({ db, team, actor }: ReadScope | Scope, document: string): Promise<{ legalHold?: true }> {
  if (!isTeamManager(actor) || !isUuid(document)) return {};
  return (await db.first(queries.hasLegalHold, { team, document }))?.on_hold === true ? { legalHold: true } : {};
}
