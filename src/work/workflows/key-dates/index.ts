/** Workflows that start at a key date of a document. */
export { dateListeners } from './listeners.ts';
export { dateWorkflowJob } from './start.ts';
