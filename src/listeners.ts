import { documentListeners, grantListener, leaverListener } from '#documents';
import { folderListener } from '#folders';
import { taskListener } from '#tasks';
import { webhookListener } from '#webhooks';
import { workflowListeners } from '#workflows';
import type { EventListener } from './platform/journal/listeners.ts';

/**
 * Who hears what is recorded, in the transaction of the act, one after the other: deliveries are queued in the order of the
 * events, and locks are taken in the order of docs/locks.md.
 */
export const listeners: readonly EventListener[] = [
  webhookListener,
  leaverListener,
  folderListener,
  ...documentListeners,
  taskListener,
  ...workflowListeners,
  grantListener,
];
