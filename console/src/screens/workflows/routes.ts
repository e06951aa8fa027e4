import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../shell/root-routes.ts';

export const listTabs = ['running', 'waiting', 'overdue', 'draft', 'ended'] as const;
export type ListTab = (typeof listTabs)[number];
/** The filters of the list. */
export type ListSearch = { tab?: ListTab; q?: string };

export const workflowTabs = ['steps', 'comments', 'history', 'access'] as const;
export type WorkflowTab = (typeof workflowTabs)[number];
/** The tab of the page, and the step that is open. */
export type WorkflowSearch = { tab?: WorkflowTab; step?: string };

/** The document and the template of a new workflow. */
export type NewSearch = { document?: string; template?: string };

const textOf = (value: unknown, maxLength: number) => (typeof value === 'string' && value !== '' ? value.slice(0, maxLength) : undefined);

const list = createRoute({
  path: '/workflows',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./workflows.tsx'), 'Workflows'),
  validateSearch: ({ tab, q }: Record<string, unknown>): ListSearch => {
    const [known, text] = [listTabs.find((one) => one === tab), textOf(q, 200)];
    return { ...(known ? { tab: known } : {}), ...(text === undefined ? {} : { q: text }) };
  },
});

const start = createRoute({
  path: '/workflows/new',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./start.tsx'), 'StartWorkflow'),
  validateSearch: ({ document, template }: Record<string, unknown>): NewSearch => {
    const [documentId, name] = [textOf(document, 64), textOf(template, 100)];
    return { ...(documentId === undefined ? {} : { document: documentId }), ...(name === undefined ? {} : { template: name }) };
  },
});

const page = createRoute({
  path: '/workflows/$id',
  getParentRoute: () => shellRoute,
  component: lazyRouteComponent(() => import('./workflow.tsx'), 'WorkflowPage'),
  validateSearch: ({ tab, step }: Record<string, unknown>): WorkflowSearch => {
    const [known, id] = [workflowTabs.find((one) => one === tab), textOf(step, 100)];
    return { ...(known ? { tab: known } : {}), ...(id === undefined ? {} : { step: id }) };
  },
});

export const workflowRoutes = [list, start, page] as const;
