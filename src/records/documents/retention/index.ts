/** Retention rules of folders, and the job that applies them. */
export { keepRules } from './jobs.ts';
export { retentionRoutes } from './routes.ts';
