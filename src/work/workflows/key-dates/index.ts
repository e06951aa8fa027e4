/** Workflows that a key date of a document starts. */
export { dateListeners } from './listeners.ts';
export { dateWorkflowJob } from './start.ts';
