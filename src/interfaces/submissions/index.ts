/** The management of what was submitted: lists, single submissions, and their erasure. */
export { submissionRoutes } from './routes.ts';
