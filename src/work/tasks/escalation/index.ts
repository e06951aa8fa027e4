/** What stays overdue comes to somebody above: told of it, or given it where the step says so. */
export { taskEscalations } from './jobs.ts';
