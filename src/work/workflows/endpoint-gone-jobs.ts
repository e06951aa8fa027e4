import { Type } from 'typebox';
import { defineJob } from '../../platform/jobs/job.ts';
import type { Scope } from '../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../platform/system-scope.ts';
import { recordStepFailure } from './step-failure.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import * as stepQueries from './step-queries.ts';
import type * as queries from './queries.ts';
import { endpointOf, waitsForAnswer } from './webhook-config.ts';
import { lockEndpoints } from './webhook-steps.ts';

/** Fails the steps that wait for a deleted endpoint. Those of a paused workflow fail when it resumes. */
export const endpointGoneJob = defineJob(
  'workflow-endpoint-gone',
  Type.Object({ endpoint: Type.String() }),
  { counted: false },
  async (deps: SystemDependencies, { endpoint }, { id, team }) => {
    if (team === undefined) return;
    const asking = await deps.database.inTeam(team, (db) => db.all(stepQueries.askingEndpoint, { team, endpoint }));
    for (const { id: workflow } of asking)
      await inTeamAsSystem(deps, team, `job-${id}`, async (scope) => {
        const row = await loadWorkflowForUpdate(scope, workflow);
        if (row?.status === 'active') await failUnanswerable(scope, row);
      });
  },
);

/** Fails the steps of an active workflow whose endpoint is deleted or can no longer be called. */
export async function failUnanswerable(scope: Scope, row: queries.WorkflowRow): Promise<void> {
  const waiting = row.steps.filter((step) => step.status === 'active' && waitsForAnswer(step));
  if (waiting.length === 0) return;
  const askable = await lockEndpoints(scope, row, waiting);
  for (const step of waiting) if (!askable.has(endpointOf(step))) await recordStepFailure(scope, row, step, 'endpoint_not_usable');
}
