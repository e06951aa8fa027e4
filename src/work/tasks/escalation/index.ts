/** Escalation of overdue tasks: notifies other people, or reassigns the task if the step says so. */
export { taskEscalations } from './jobs.ts';
