import { useQuery } from '@tanstack/react-query';
import { api, ok, versioned } from '../../api.ts';

export const useTask = (id: string) =>
  useQuery({
    queryKey: ['task', id],
    queryFn: () => versioned(api.GET('/api/v1/tasks/{id}', { params: { path: { id } } })),
  });
export type Task = NonNullable<ReturnType<typeof useTask>['data']>['data'];

/** The version of a document that a task is about. */
export const useTaskDocument = (id: string, documentId: string | undefined) =>
  useQuery({
    queryKey: ['task', id, 'document', documentId],
    queryFn: () => ok(api.GET('/api/v1/tasks/{id}/document', { params: { path: { id }, query: { documentId } } })),
    enabled: documentId !== undefined,
  });

/** The most tasks and comments that the page shows. */
const maxShown = 50;

/** The ended tasks of the workflow, in the order of their decisions. */
export const useDecided = (workflowId: string | undefined) =>
  useQuery({
    queryKey: ['task', 'list', 'decided', workflowId],
    queryFn: () =>
      ok(
        api.GET('/api/v1/tasks/', {
          params: { query: { workflowId, status: ['completed', 'rejected'], sort: 'updatedAt', limit: maxShown } },
        }),
      ),
    enabled: workflowId !== undefined,
  });

export const useComments = (id: string) =>
  useQuery({
    queryKey: ['task', id, 'comments'],
    queryFn: () => ok(api.GET('/api/v1/tasks/{id}/comments', { params: { path: { id }, query: { limit: maxShown } } })),
  });
