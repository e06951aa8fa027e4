/** Management of submissions: lists, single submissions, exports and erasure. */
export { withSubmissions } from './access.ts';
export { erase, type Erasing } from './erase.ts';
export { dropOldExports, exportJob } from './exports/index.ts';
export { submissionErased } from './events.ts';
export { recordSubmissionRead, readableSubmission } from './reading.ts';
export { submissionRoutes } from './routes.ts';
export { submissionFilters } from './schemas.ts';
export { getSubmission, listSubmissions, pageWanted } from './service.ts';
