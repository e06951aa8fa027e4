import { isBehindBarrier } from '#access';
import type { ReferredDocument } from '#documents';
import { lockMatterFor } from '#folders';
import type { Scope } from '../../platform/scope.ts';
import { taskProblems } from './problems.ts';

/** Where work belongs: its matter, and the document or matter whose barrier hides it. */
export type WorkPlace = { matter: string | null; about: string | null; barred: boolean };

/**
 * Returns the place of new work. Work about a document of the team is in the matter of the document. Other work is in the given matter, which stays open
 * until the transaction ends. Errors: 422 `matter_not_found`, `matter_of_document`.
 */
export async function placeOfWork(scope: Scope, matterId: string | undefined, document: ReferredDocument | undefined): Promise<WorkPlace> {
  if (document !== undefined) {
    if (matterId !== undefined && matterId.toLowerCase() !== document.matterId)
      throw taskProblems.matter_of_document(
        'Work about a document is in the matter of that document. Omit `matterId`, or move the document.',
      );
    return { matter: document.matterId, about: document.id, barred: document.barred };
  }
  if (matterId === undefined) return { matter: null, about: null, barred: false };
  const { parent, barrier_id: barrier } = await lockMatterFor(scope, matterId);
  return { matter: parent, about: parent, barred: isBehindBarrier(barrier) };
}
