/** Forms in workflow steps: the assignee of a task gets a personal link to the form, and the submission completes the task. */
export { taskFormListeners } from './listeners.ts';
export { taskFormMailJob } from './jobs.ts';
export { taskFormRoutes } from './routes.ts';
export { linkForAssignee } from './service.ts';
