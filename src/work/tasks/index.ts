import { domain as access } from '#access';
import { domain as clients } from '#clients';
import { domain as documents } from '#documents';
import { domain as folders } from '#folders';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { barrierListeners } from './barrier-changes.ts';
import { delegationJobs, delegationListeners, delegationRoutes } from './delegations/index.ts';
import { tasksForPages } from './for-pages.ts';
import { groupListeners } from './groups.ts';
import { handOver } from './reassign.ts';
import { taskListener } from './listeners.ts';
import { revocationListener } from './revocation.ts';
import { reviewListener } from './review-due.ts';
import { taskRoutes } from './routes.ts';
import { taskTables } from './tables.ts';

/**
 * Tasks for people, created by a person or by a step of a workflow. A task is completed once, with an outcome. Event listeners continue the workflow.
 */
export const domain = defineDomain({
  name: 'tasks',
  uses: { access, teams, clients, folders, documents },
  tables: taskTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  subscribes: { usual: [taskListener, ...delegationListeners, reviewListener, ...groupListeners, ...barrierListeners, revocationListener] },
  open: ({ database, listeners, clock, storage }) => ({
    exports: tasksForPages,
    routes: (app) => {
      delegationRoutes(app);
      taskRoutes(app, storage);
    },
    jobs: delegationJobs({ database, listeners, clock, handOver }),
  }),
});

export { unassignExcluded } from './barrier-changes.ts';
export { dueTime } from './due-date.ts';
export type { TasksForPages } from './for-pages.ts';
export { completeByForm } from './complete.ts';
export { taskAssigned, taskCompleted, taskCreated, taskRejected } from './events.ts';
export { findTask, taskNames } from './lookup.ts';
export { assignVote } from './reassign.ts';
export { taskEscalations } from './escalation/index.ts';
export type { EscalationLevel } from './insert-queries.ts';
export { isRelatedToWorkflowSql, lockRound, relatedToWorkflowSql, lockWorkflow, lockWorkflowsOf, lockWorkflowSql } from './lock-queries.ts';
export { overdueTasks, taskDigests, taskReminders } from './jobs.ts';
export { asksForForm, isDecision, makesTask, onNewVersionOf, outcomesOf, takesOutcomes } from './kinds.ts';
export { isDecisionSql, eligibleSql, successorSql } from './eligible-queries.ts';
export { emergencyAccessReads, outsidersOf, requireInside } from './barrier.ts';
export {
  cancelGivenTasks,
  cancelTasks,
  cancelVotes,
  createTasks,
  taskLink,
  type NewTask,
  type TaskDocument,
  withdrawTasks,
} from './create.ts';
export { placeOfWork, type WorkPlace } from './place.ts';
export { taskProblems } from './problems.ts';
export { tasksTakeFirstVersion } from './first-version.ts';
export { doneByViewers } from './access.ts';
export { refuseViewers, requireMembers } from './assignees.ts';
export {
  votesSql,
  assigneeOfTask,
  pauseTasks,
  lockQuestions,
  openTasksOfStep,
  resumeTasks,
  tasksAbout,
  tasksBehindBarriers,
} from './queries.ts';
export { approversOfRound } from './queries.ts';
export { tasksToDo } from './service.ts';
export { workflowsWaitingFor } from './waiting-workflows.ts';
