/** Outputs of submissions: documents, workflows and records with values from the answers. */
export { awaitOutputs, outputsJob, retryOutputs } from './make.ts';
export { checkRecords, checkTargets, refuseWarnings } from './publish.ts';
export { type OutputRow, outputsOf, submissionToMake } from './queries.ts';
export { outputRoutes } from './routes.ts';
export { type TemplatesForForms, TemplatesPort } from './templates.ts';
export { holdDocumentTemplates, holdWorkflowTemplates } from './targets.ts';
export { usesOfTemplates } from './uses.ts';
