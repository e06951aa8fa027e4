/** The history of a workflow, and the comments on it. */
export { historyRoutes } from './routes.ts';
