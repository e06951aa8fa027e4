/** Steps of workflows that agents do: each is a run for whoever made the workflow, and its end is that of the step. */
export { stepListeners } from './listeners.ts';
export { stepOverJob } from './over.ts';
