import { memberRemoved } from '#teams';
import { type EventListener, type DomainEvent, on } from '../../../platform/journal/listeners.ts';
import type { Scope } from '../../../platform/scope.ts';
import { signatureCompleted, signatureDeclined, signatureExpired, signatureFailed, signatureVoided } from './events.ts';
import { lockRequestsOfLeaver, handOver, leftSigners } from './leaver-queries.ts';
import * as queries from './queries.ts';
import { suspendRequest } from './permission.ts';

/**
 * Transfers the requests of a leaving member to the successor, whose rights are checked at the next turn. Suspends the requests that the member had
 * to sign.
 */
export const leaverListener = on(memberRemoved, async (scope, { targetId: from, data: { successorId: to } }) => {
  const { team, now: at } = scope;
  await scope.db.all(lockRequestsOfLeaver, { team, from });
  await scope.db.all(handOver, { team, from, to, at });
  for (const { id } of await scope.db.all(leftSigners, { team, from })) {
    const request = await scope.db.first(queries.findRequest, { team, id });
    if (request) await suspendRequest(scope, request, 'signer_left');
  }
});

/** Data about the end of a request. `request` is the ID of the request. */
export type RequestEnded = {
  request: string;
  how: 'completed' | 'declined' | 'expired' | 'voided' | 'failed';
  documentId: string;
  workflowId?: string;
  stepId?: string;
  reason?: string;
};

const ends = {
  completed: signatureCompleted,
  declined: signatureDeclined,
  expired: signatureExpired,
  voided: signatureVoided,
  failed: signatureFailed,
};

/**
 * Subscribes to the end of requests. The listener runs in the transaction that ends the request, after the document and the request are locked. The
 * listener may lock a workflow only after them.
 */
export function onRequestEnded(hear: (scope: Scope, ended: RequestEnded) => Promise<void>): EventListener[] {
  const listenerFor =
    (how: RequestEnded['how']) =>
    (scope: Scope, { targetId: request, data }: DomainEvent<Omit<RequestEnded, 'request' | 'how'>>) => {
      const { documentId, workflowId, stepId, reason } = data;
      return hear(scope, {
        request,
        how,
        documentId,
        ...(workflowId === undefined ? {} : { workflowId }),
        ...(stepId === undefined ? {} : { stepId }),
        ...(reason === undefined ? {} : { reason }),
      });
    };
  return [
    on(ends.completed, listenerFor('completed')),
    on(ends.declined, listenerFor('declined')),
    on(ends.expired, listenerFor('expired')),
    on(ends.voided, listenerFor('voided')),
    on(ends.failed, listenerFor('failed')),
  ];
}
