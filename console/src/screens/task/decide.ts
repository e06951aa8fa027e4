import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { api, ok, versioned } from '../../api.ts';
import { renewAfterDecision } from '../../parts/inbox-counts.ts';
import { toast } from '../../parts/toasts.tsx';
import { useTexts } from '../../texts/texts.ts';
import { useOutcomes } from '../../parts/outcomes.ts';
import { taskTexts } from './texts.ts';

type TaskToDecide = { id: string; type: string; assignedTo?: string; assignedGroupId?: string; documentVersion?: number };
export type Decision = { task: TaskToDecide; outcome: string; comment?: string; etag?: string };

/** Completes a task. Claims it first if it belongs to a group. The service refuses the decision if the document has a newer version. */
async function complete({ task, outcome, comment = '', etag }: Decision): Promise<void> {
  const { id, documentVersion } = task;
  const path = { id };
  const isUnclaimed = task.assignedTo === undefined && task.assignedGroupId !== undefined;
  const version = isUnclaimed
    ? (await versioned(api.POST('/api/v1/tasks/{id}/claim', { params: { path, header: ifMatch(etag) } }))).etag
    : etag;
  const params = { path, header: ifMatch(version) };
  const more = {
    ...(comment.trim() === '' ? {} : { comment: comment.trim() }),
    ...(documentVersion === undefined ? {} : { documentVersion }),
  };
  if (task.type === 'signature') {
    const body = { outcome: outcome === 'declined' ? ('declined' as const) : ('signed_elsewhere' as const), ...more };
    await ok(api.POST('/api/v1/tasks/{id}/signature', { params, body }));
  } else await ok(api.POST('/api/v1/tasks/{id}/complete', { params, body: { outcome, ...more } }));
}

const ifMatch = (etag: string | undefined) => (etag === undefined ? {} : { 'If-Match': etag });

/** Returns a function that decides, and says the result with the number of items that are left. It rejects if the service refuses. */
export function useDecide(): (decision: Decision) => Promise<void> {
  const client = useQueryClient();
  const say = useResult();
  const { result } = useOutcomes();
  return async (decision) => {
    try {
      await complete(decision);
    } catch (error) {
      // The service can have a newer state of the task.
      void client.invalidateQueries({ queryKey: ['task', decision.task.id] });
      throw error;
    }
    await say(client, result(decision.outcome));
  };
}

/** Returns a function that shows a result, such as “Approved. 6 left.” */
export function useResult(): (client: QueryClient, result: string) => Promise<void> {
  const words = useTexts(taskTexts);
  return async (client, result) => toast(words.done(result, await renewAfterDecision(client)));
}
