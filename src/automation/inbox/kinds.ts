import { bookingsToDecide } from '#forms';
import { recordsToReview } from '#registries';
import { requestsToSign } from '#signatures';
import { tasksToDo } from '#tasks';
import { failedDeliveries } from '#webhooks';
import type { MergedPage, MergedPart } from '../../platform/database/merged-page.ts';
import type { ReadScope } from '../../platform/scope.ts';

/**
 * The kinds of items, each with the name of its count and the scopes to read it and to act on it. A request to sign is work of the member, like a
 * task: viewers and guests sign without the scope to read requests.
 */
export const kinds = {
  task: { count: 'tasks', scopes: ['tasks:read'] },
  approval: { count: 'approvals', scopes: ['tasks:read'] },
  booking: { count: 'bookings', scopes: ['interfaces:read', 'interfaces:write'] },
  record: { count: 'records', scopes: ['registries:read', 'registries:write'] },
  signature: { count: 'signatures', scopes: ['tasks:read'] },
  delivery: { count: 'failedDeliveries', scopes: ['webhooks:read'] },
} as const satisfies Record<string, { count: string; scopes: readonly string[] }>;

export type Kind = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as Kind[];

type ReadKinds = (scope: ReadScope, page: MergedPage, wanted: ReadonlySet<Kind>) => Promise<MergedPart[]>;
/** Tasks and votes are read together. */
const toDo: ReadKinds = (scope, page, wanted) =>
  tasksToDo(scope, page, [...(wanted.has('task') ? [false] : []), ...(wanted.has('approval') ? [true] : [])]);
export const sources: Record<Kind, ReadKinds> = {
  task: toDo,
  approval: toDo,
  booking: bookingsToDecide,
  record: recordsToReview,
  signature: requestsToSign,
  delivery: failedDeliveries,
};
