import { bookingsToDecide } from '#forms';
import { recordsToReview } from '#registries';
import { requestsToSign } from '#signatures';
import { tasksToDo } from '#tasks';
import { failedDeliveries } from '#webhooks';
import type { MergedPage, MergedPart } from '../../platform/database/merged-page.ts';
import type { ReadScope } from '../../platform/scope.ts';

type Kind = {
  /** The name of its count. */
  count: string;
  /** The scopes to read it, and to act on it. */
  scopes: readonly string[];
  read: (scope: ReadScope, page: MergedPage) => Promise<MergedPart>;
};

/** The kinds of items. A request to sign is work of the member, like a task; viewers and guests sign without the scope to read requests. */
export const kinds = {
  task: { count: 'tasks', scopes: ['tasks:read'], read: (scope, page) => tasksToDo(scope, page, false) },
  approval: { count: 'approvals', scopes: ['tasks:read'], read: (scope, page) => tasksToDo(scope, page, true) },
  booking: { count: 'bookings', scopes: ['interfaces:read', 'interfaces:write'], read: bookingsToDecide },
  record: { count: 'records', scopes: ['registries:read', 'registries:write'], read: recordsToReview },
  signature: { count: 'signatures', scopes: ['tasks:read'], read: requestsToSign },
  delivery: { count: 'failedDeliveries', scopes: ['webhooks:read'], read: failedDeliveries },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof kinds;
export const kindNames = Object.keys(kinds) as KindName[];
