import { domain as access } from '#access';
import { domain as agents } from '#agents';
import { domain as approvals } from '#approvals';
import { domain as journal } from '#journal';
import { domain as documents } from '#documents';
import { domain as fields } from '#fields';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as teams } from '#teams';
import { domain as workingTime } from '#working-time';
import { domain as webhooks } from '#webhooks';
import { defineDomain } from '../../platform/domain.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { openLayouts } from './diagram/index.ts';
import { endpointGoneJob } from './endpoint-gone-jobs.ts';
import { runWorkflowTimers } from './jobs.ts';
import { dateListeners, dateWorkflowJob } from './key-dates/index.ts';
import { workflowListeners } from './listeners.ts';
import { workflowRoutes } from './routes.ts';
import { workflowTables } from './tables.ts';
import { type TemplateUses, TemplateUsesPort } from './template-uses.ts';

/**
 * Workflows: graphs of steps about a document. The consequences of an action happen in its transaction, and each transition is one guarded update.
 * Templates have the steps of common processes.
 */
export const domain = defineDomain({
  name: 'workflows',
  uses: { access, teams, 'working-time': workingTime, journal, tasks, approvals, documents, agents, fields, webhooks, signatures },
  tables: workflowTables,
  description: () => import('./description.ts'),
  tools: async () => (await import('./tools.ts')).tools,
  subscribes: { usual: [...workflowListeners, ...dateListeners] },
  open: ({ database, listeners, clock }, { webhooks: openWebhooks }) => {
    const layouts = openLayouts();
    const uses = new TemplateUsesPort();
    return {
      exports: { layouts, askForms: (given: TemplateUses) => uses.use(given) },
      routes: (app) => workflowRoutes(app, { layouts, webhooks: openWebhooks, uses: () => uses.uses }),
      jobs: [openJob(endpointGoneJob, { database, listeners, clock }), openJob(dateWorkflowJob, { database, listeners, clock })],
      periodic: [
        {
          name: 'workflow-timers',
          cron: '* * * * *',
          run: ({ now, isolation }) => runWorkflowTimers({ database, listeners, isolation }, now),
        },
      ],
      close: () => layouts.close(),
    };
  },
});

export { type AgentStep, agentStepOver, agentStepsOf } from './agent-steps.ts';
export {
  stepActivated,
  stepFailed,
  workflowCancelled,
  workflowPaused,
  workflowRejected,
  workflowResumed,
  workflowStarted,
} from './events.ts';
export { type WorkflowInWhole, workflowInWhole, workflowsOn } from './evidence.ts';
export { documentsOfWorkflow } from './documents.ts';
export { lockStepRun, makingListeners, type StepRun, stepMade, stepNotMade, type StepToMake, stepToMake } from './making-steps.ts';
export { runWorkflowTimers } from './jobs.ts';
export { oldSteps } from './old-steps.ts';
export { workflowsUnderWay } from './active-workflows.ts';
export {
  createFromTemplate,
  holdTemplates,
  requireStartable,
  nearestTemplate,
  stateOfTemplate,
  type StartingForm,
  stepsOfTemplate,
  templateForForm,
  type TemplateState,
} from './template-service.ts';
export { forceQuery } from './schemas.ts';
export { type FormOfTemplate, requireUnused, templateChanged, type TemplateUses } from './template-uses.ts';
export { setWorkflowLocale } from './signature-steps.ts';
export { endpointsOfWorkflows } from './webhook-steps.ts';
export { endWorkflow, startWorkflow } from './transitions.ts';
export { type DiagramNode, drawDiagram, graphOf, type Layouts, type Look, sendDiagram } from './diagram/index.ts';
export { getWorkflow as readWorkflow } from './service.ts';
export { findRow as workflowFor, setMatterOfWorkflow, workflowNames } from './lookup.ts';
export { mayEdit as mayEditWorkflow } from './access.ts';
export { checkFormConditions } from './step-conditions.ts';
export { workflowCreated, workflowUpdated } from './events.ts';
export { dependencies as dependenciesOfSteps } from './steps.ts';
export { formOfStep, formsOfWorkflow } from './form-queries.ts';
export { workflowProblems } from './problems.ts';
