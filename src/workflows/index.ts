/**
 * Workflows: steps attached to a document, run as a graph. What follows from an act happens in its transaction; each
 * transition is one guarded update; templates give the steps of common matters.
 */
export { runWorkflowTimers } from './jobs.ts';
export { workflowListeners } from './listeners.ts';
export { workflowRoutes } from './routes.ts';
