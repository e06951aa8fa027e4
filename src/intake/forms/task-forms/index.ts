/** Forms that a step of a workflow names: whoever has its task fills one in by a link of their own, and what they submit ends it. */
export { taskFormListeners } from './listeners.ts';
export { taskFormMailJob } from './jobs.ts';
export { taskFormRoutes } from './routes.ts';
export { linkForAssignee } from './service.ts';
