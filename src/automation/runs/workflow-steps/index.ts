/** Workflow steps that agents perform. Each step is a run for the creator of the workflow, and the end of the run ends the step. */
export { stepListeners } from './listeners.ts';
export { stepOverJob } from './over.ts';
