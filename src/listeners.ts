import { documentListener, grantListener, leaverListener } from '#documents';
import { folderListener } from '#folders';
import { taskListener } from '#tasks';
import { webhookListener } from '#webhooks';
import { workflowListener } from '#workflows';
import type { EventListener } from './platform/journal/record.ts';

/**
 * Who hears what is recorded, in the transaction of the act, one after the other: deliveries are queued in the order of the
 * events, and locks are taken in the order of docs/locks.md.
 */
export const listeners: readonly EventListener[] = [
  webhookListener,
  leaverListener,
  folderListener,
  documentListener,
  taskListener,
  workflowListener,
  grantListener,
];
