import type { App } from '../platform/http/server.ts';
import type { EventListener } from '../platform/journal/record.ts';
import type { Database } from '../platform/database/database.ts';
export function workflowRoutes(_app: App): void {}
export const workflowListener: EventListener = async () => undefined;
export async function runWorkflowTimers(_d: Database, _l: readonly EventListener[], _n: Date): Promise<void> {}
