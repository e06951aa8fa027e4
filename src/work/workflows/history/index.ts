/** What happened in a workflow, and what people say on it. */
export { historyRoutes } from './routes.ts';
