import { domain as teams } from '#teams';
import { domain as tasks } from '#tasks';
import { domain as documents } from '#documents';
import { defineDomain } from '../platform/domain.ts';
import { workflowTables } from './tables.ts';

/**
 * Workflows: steps attached to a document, run as a graph. What follows from an act happens in its transaction; each
 * transition is one guarded update; templates give the steps of common matters.
 */
export const domain = defineDomain({
  name: 'workflows',
  uses: [teams, tasks, documents],
  tables: workflowTables,
  description: () => import('./description.ts'),
});

export { runWorkflowTimers } from './jobs.ts';
export { workflowListeners } from './listeners.ts';
export { workflowRoutes } from './routes.ts';
