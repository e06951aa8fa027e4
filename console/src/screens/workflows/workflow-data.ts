import type { Workflow } from '@chancery/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, countItems, ok, page, versioned } from '../../api.ts';
import { pageRows } from '../../parts/list.tsx';
import type { WorkflowStep } from '../../parts/workflow/step-words.tsx';
import { managesTeam } from '../../session/claims.ts';
import { useClaims } from '../../session/use-session.ts';
import type { ListSearch, ListTab } from './routes.ts';

type ListFilters = {
  status?: Workflow['status'][];
  waitingFor?: 'me';
  overdue?: boolean;
  sort: 'dueDate' | '-updatedAt';
};

/** The filters of the API for each tab. */
const filters = {
  running: { status: ['active', 'paused'], sort: '-updatedAt' },
  waiting: { waitingFor: 'me', sort: 'dueDate' },
  overdue: { status: ['active'], overdue: true, sort: 'dueDate' },
  draft: { status: ['draft'], sort: '-updatedAt' },
  ended: { status: ['completed', 'rejected', 'cancelled'], sort: '-updatedAt' },
} satisfies Record<ListTab, ListFilters>;

/** Reads a page of the list. */
export const readWorkflows = ({ tab = 'running', q }: ListSearch, cursor: string | undefined) =>
  page<Workflow>(api.GET('/api/v1/workflows/', { params: { query: { limit: pageRows, cursor, q, ...filters[tab] }, header: countItems } }));

export const useWorkflow = (id: string) =>
  useQuery({
    queryKey: ['workflow', id],
    queryFn: () => versioned(api.GET('/api/v1/workflows/{id}', { params: { path: { id } } })),
  });

/** The most tasks of a workflow that the page shows. */
const maxTasks = 200;

/** The tasks of a workflow that the person can see, the newest first. */
export const useWorkflowTasks = (workflowId: string) =>
  useQuery({
    queryKey: ['task', 'list', 'of workflow', workflowId],
    queryFn: () => ok(api.GET('/api/v1/tasks/', { params: { query: { workflowId, sort: '-createdAt', limit: maxTasks } } })),
  });
export type WorkflowTask = NonNullable<ReturnType<typeof useWorkflowTasks>['data']>[number];

/** An open task that the person can complete, or claim. */
export const useOwnTask = (workflowId: string) =>
  useQuery({
    queryKey: ['task', 'list', 'own of workflow', workflowId],
    queryFn: async () => {
      const query = { workflowId, assignedTo: 'me', claimable: true, status: ['open' as const], limit: 1 };
      const [task] = await ok(api.GET('/api/v1/tasks/', { params: { query } }));
      return task ?? null;
    },
  });

export const useAccess = (id: string) =>
  useQuery({
    queryKey: ['workflow', id, 'access'],
    queryFn: () => ok(api.GET('/api/v1/workflows/{id}/access', { params: { path: { id } } })),
  });

/** The rights of the person on a workflow in its state. */
export function useRights({ id, status }: Pick<Workflow, 'id' | 'status'>): { edits: boolean; cancels: boolean; comments: boolean } {
  const claims = useClaims();
  const { data } = useAccess(id);
  const writes = claims.scopes.has('workflows:write');
  const own = (data?.grants ?? []).filter(({ userId }) => userId === claims.sub);
  const edits = writes && own.some(({ access }) => access === 'write');
  // The owner of a document can end what runs on it.
  const isOnOwnDocument = own.some(({ reason }) => reason === 'document') && status !== 'draft';
  return {
    edits,
    cancels: edits || (writes && isOnOwnDocument),
    comments: writes && (managesTeam(claims) || claims.role === 'member'),
  };
}

/** Renews everything that shows a workflow, after a change. */
export function useRenew(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await Promise.all([client.invalidateQueries({ queryKey: ['workflow'] }), client.invalidateQueries({ queryKey: ['task'] })]);
    void client.invalidateQueries({ queryKey: ['inbox'] });
  };
}

/** The steps that a workflow waits for: failed ones first. */
export const currentSteps = ({ steps, status }: Pick<Workflow, 'steps' | 'status'>): WorkflowStep[] =>
  status === 'active' || status === 'paused'
    ? [...steps.filter((step) => step.status === 'failed'), ...steps.filter((step) => step.status === 'active')]
    : [];

export const isEnded = ({ status }: Pick<Workflow, 'status'>): boolean => status !== 'draft' && status !== 'active' && status !== 'paused';

/** Whether a workflow is past its due date. */
export const isOverdue = ({ status, dueDate }: Pick<Workflow, 'status' | 'dueDate'>): boolean =>
  status === 'active' && dueDate !== undefined && Date.parse(dueDate) < Date.now();

/** Whether a task is past its due date. */
export const isLate = ({ status, dueDate }: Pick<WorkflowTask, 'status' | 'dueDate'>): boolean =>
  status === 'open' && dueDate !== undefined && Date.parse(dueDate) < Date.now();
