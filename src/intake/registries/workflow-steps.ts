import { Type } from 'typebox';
import { schemaOfFields } from '#fields';
import { lockStepRun, makingListeners, stepMade, stepNotMade, type StepRun, type StepToMake, stepToMake } from '#workflows';
import { databaseProblem, isDatabaseUnavailable } from '../../platform/database/errors.ts';
import { defineTeamJob, enqueue } from '../../platform/jobs/job.ts';
import { didYouMean } from '../../platform/http/known-members.ts';
import { Problem } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import { registryToWrite } from './access.ts';
import { writeRecordOfStep } from './records/index.ts';

/* Workflow steps that create or change a record. */

/**
 * Writes the record of a step with the current rights of the creator of the workflow. The record and the end of the step are one transaction, so each run
 * of a step writes once. A rejection fails the step.
 */
export const writeStepJob = defineTeamJob(
  'workflow-record-step',
  Type.Object({ workflow: Type.String(), step: Type.String(), begun: Type.String() }),
  { retries: 5, counted: false },
  async (inTeam, run) => {
    const found = await inTeam((scope) => stepToMake(scope, run));
    if (!found) return;
    try {
      await inTeam((scope) => writeOf(scope, run, found));
    } catch (error) {
      const problem = error instanceof Problem ? error : isDatabaseUnavailable(error) ? undefined : databaseProblem(error);
      if (problem === undefined || problem.status >= 500 || problem.status === 429) throw error;
      // Another record got the value in the meantime. The next attempt changes that record.
      if (problem.code === 'registry_value_taken' && found.config.update !== undefined) throw error;
      await inTeam((scope) => stepNotMade(scope, run, problem));
    }
  },
);

async function writeOf(scope: Scope, run: StepRun, { config, actor, data }: StepToMake): Promise<void> {
  if (!(await lockStepRun(scope, run))) return;
  const outcome = await writeRecordOfStep({ ...scope, actor, recordedAs: scope.actor }, String(config.registryId), {
    data,
    update: typeof config.update === 'string' ? config.update : undefined,
    pending: config.pending === true,
    workflow: run.workflow,
  });
  await stepMade(scope, run, { outcome });
}

const nearestUnique = (fields: readonly { id: string; unique?: boolean }[], name: unknown): string =>
  didYouMean(
    String(name),
    fields.flatMap(({ id, unique }) => (unique === true ? [id] : [])),
  );

/** Runs the steps that write a record, and checks their values against the fields of the registry. */
export const recordStepListeners = makingListeners('record', {
  scope: 'registries:write',
  async target(scope, { registryId, update }) {
    try {
      const { registry } = await registryToWrite(scope, String(registryId));
      const target = { schema: schemaOfFields(registry.fields), called: 'the registry' };
      if (update === undefined) return target;
      if (!registry.fields.some(({ id, unique }) => id === update && unique))
        return { member: 'config/update', reason: `must name a unique field of the registry${nearestUnique(registry.fields, update)}` };
      // A change of a record can leave out required fields.
      return { ...target, schema: { ...target.schema, required: [] } };
    } catch (error) {
      if (error instanceof Problem && (error.status === 404 || error.status === 403))
        return { member: 'config/registryId', reason: 'does not name a registry whose records you may change' };
      throw error;
    }
  },
  run: ({ db, team }, run) => enqueue({ db, team }, writeStepJob, run),
});
