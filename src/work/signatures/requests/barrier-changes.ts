import { groupDeleted, groupMemberRemoved, groupMembersRemoved } from '#access';
import { documentMoved } from '#documents';
import { barrierSet, folderMoved } from '#folders';
import { on } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { lockRequestsOfExcluded } from './barrier-queries.ts';
import { suspendRequest } from './permission.ts';
import * as queries from './queries.ts';

/**
 * Runs when a barrier is set, its members change, or a document moves. Suspends requests with several documents if a barrier now excludes a signer from
 * one of them. In a request with one document, only that signer cannot sign.
 */
async function suspendExcluded(scope: Scope): Promise<void> {
  const { db, team } = scope;
  for (const { id } of await db.all(lockRequestsOfExcluded, { team })) {
    const request = await db.first(queries.findRequest, { team, id });
    if (request) await suspendRequest(scope, request, 'signer_excluded');
  }
}

export const barrierListeners = [
  on(barrierSet, suspendExcluded),
  on(groupMemberRemoved, suspendExcluded),
  on(groupMembersRemoved, suspendExcluded),
  on(groupDeleted, suspendExcluded),
  on(folderMoved, suspendExcluded),
  on(documentMoved, suspendExcluded),
];
