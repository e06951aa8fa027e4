/** Outputs of submissions: documents and workflows with values from the answers. */
export { awaitOutputs, outputsJob, retryOutputs } from './make.ts';
export { checkTargets, refuseWarnings } from './publish.ts';
export { outputsOf } from './queries.ts';
export { type TemplatesForForms, TemplatesPort } from './templates.ts';
