import { documentListener } from '#documents';
import { folderListener } from '#folders';
import { taskListener } from '#tasks';
import { webhookListener } from '#webhooks';
import { workflowListener } from '#workflows';
import type { EventListener } from './platform/journal/record.ts';

/** Who hears what is recorded, in the transaction of the act, in this order. */
export const listeners: readonly EventListener[] = [folderListener, documentListener, taskListener, workflowListener, webhookListener];
