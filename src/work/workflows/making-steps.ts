import { actorToday, documentReadableBy, setDocumentStatus } from '#documents';
import { applyMapping, type MappingTarget, valueOfSource } from '#fields';
import { taskProblems, unassignExcluded } from '#tasks';
import { pipelined } from '../../platform/database/pipelined.ts';
import { type EventListener, on } from '../../platform/journal/listeners.ts';
import { fieldError, type Problem, problems, reasonOf } from '../../platform/problems.ts';
import type { Actor, ReadScope, Scope } from '../../platform/scope.ts';
import { advance } from './advance.ts';
import { creatorInTeam } from './creator.ts';
import { led } from './document-status.ts';
import { setLeadsDocument } from './document-queries.ts';
import { endStep } from './ending.ts';
import {
  stepActivated,
  templateCreated,
  templateUpdated,
  workflowCreated,
  workflowResumed,
  workflowStarted,
  workflowUpdated,
} from './events.ts';
import { loadWorkflowForUpdate } from './lookup.ts';
import { type Making, makingOf, mappingOf, nameOfMade, targetErrors, titleOf } from './making.ts';
import * as makingQueries from './making-queries.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import { readValues, valueErrors } from './step-conditions.ts';
import { type StepError, stepError } from './step-errors.ts';
import { recordStepFailure } from './step-failure.ts';
import { cachedRow, cachedTemplateSteps } from './transaction-cache.ts';

/** One run of a step. A restarted step begins at another time. */
export type StepRun = { workflow: string; step: string; begun: string };

/**
 * A step to make something with the rights of `actor`. `data` and `title` are the values of its mapping, `documents` the documents of its workflow in this
 * service.
 */
export type StepToMake = {
  config: Readonly<Record<string, unknown>>;
  actor: Actor & { id: string };
  data: Record<string, unknown>;
  title: unknown;
  documents: string[];
};

function activeStep(row: queries.WorkflowRow | undefined, { step: id, begun }: StepRun): queries.StepRow | undefined {
  const step = row?.steps.find((one) => one.id === id);
  return row?.status === 'active' && step?.status === 'active' && step.started_at === begun && makingOf(step) !== undefined
    ? step
    : undefined;
}

/** Returns a step that still waits for this run, or nothing. Without a creator in the team the step fails. */
export async function stepToMake(scope: Scope, run: StepRun): Promise<StepToMake | undefined> {
  const { db, team } = scope;
  const row = await db.first(queries.findWorkflow, { team, id: run.workflow });
  const step = activeStep(row, run);
  if (!row || !step) return undefined;
  const creator = creatorInTeam(row);
  const actor = creator === undefined ? undefined : await actorToday(scope, creator);
  if (!actor || !('id' in actor)) {
    await stepNotMade(
      scope,
      run,
      problems.forbidden('The creator of the workflow has left the team. An administrator can skip the step or cancel the workflow.'),
    );
    return undefined;
  }
  const documents = row.documents.flatMap(({ linked_document_id: id }) => id ?? []);
  const values = await readValues(scope, row, step);
  const title = titleOf(step);
  return {
    config: step.config,
    actor,
    data: applyMapping(mappingOf(step), values),
    title: title && valueOfSource(title, values),
    documents,
  };
}

/** Locks the workflow of a run before its changes. Returns false if the step no longer waits for this run. */
export const lockStepRun = async (scope: Scope, run: StepRun): Promise<boolean> =>
  activeStep(await loadWorkflowForUpdate(scope, run.workflow), run) !== undefined;

/** The result of a step. `document`: the document of the step, for its workflow. */
type StepResult = { outcome: string; document?: { id: string; by: string } };

/**
 * Ends a step in the transaction of its result. Returns false if the step no longer waits for this run. The caller then discards the result. Errors: 422 `matter_of_document`.
 */
export async function stepMade(scope: Scope, run: StepRun, { outcome, document }: StepResult): Promise<boolean> {
  const row = await loadWorkflowForUpdate(scope, run.workflow);
  const step = activeStep(row, run);
  if (!row || !step) return false;
  if (document) await takeDocument(scope, row, step, document);
  await pipelined([() => endStep(scope, row, step, { status: 'completed', outcome }), () => advance(scope, row, [step.id])]);
  return true;
}

/** Fails a step that could not make something. Does nothing if the step no longer waits for this run. */
export async function stepNotMade(scope: Scope, run: StepRun, problem: Problem): Promise<void> {
  const row = await loadWorkflowForUpdate(scope, run.workflow);
  const step = activeStep(row, run);
  if (row && step) await recordStepFailure(scope, row, step, problem.code, reasonOf(problem));
}

/** Adds the document of a step to its workflow, which controls its status from then on. */
async function takeDocument(
  scope: Scope,
  row: queries.WorkflowRow,
  step: queries.StepRow,
  { id, by }: { id: string; by: string },
): Promise<void> {
  const { db, team } = scope;
  const name = nameOfMade(step) ?? step.id;
  const made = await documentReadableBy(scope, by, id);
  if (made?.matterId != null && made.matterId !== row.container_id)
    throw taskProblems.matter_of_document(
      'The folder of the step is not in the matter of the workflow. Use a folder in the matter of the workflow.',
    );
  const at = row.documents.findIndex((one) => one.name === name);
  const before = row.documents[at];
  const position = at < 0 ? row.documents.length : at;
  db.send(makingQueries.addDocument, { team, id: row.id, name, position, document: id, by });
  const leads = made?.gives === 'write';
  row.documents[position] = { name, document_id: id, linked_document_id: id, linked_by: by, about_document_id: id, leads };
  row.about_document_id = row.id;
  // The document of an earlier run of the step no longer belongs to the workflow.
  if (before?.linked_document_id != null && before.leads) await setDocumentStatus(scope, before.linked_document_id, 'draft', { from: led });
  if (leads) {
    const status = await setDocumentStatus(scope, id, 'in_review', { from: led });
    await db.all(setLeadsDocument, { team, id: row.id, document: id, before: status ?? null });
  }
  if (made?.barred) {
    row.barred = true;
    await unassignExcluded(scope);
  }
}

type Rejection = { member: string; reason: string };

/** The work of another domain for the steps of one kind. */
type StepHandler = {
  /** The scope that an API client needs. */
  scope: string;
  /** Returns the target of the values of a step that the actor of `scope` may use, or an error. */
  target: (scope: Scope, config: Readonly<Record<string, unknown>>) => Promise<MappingTarget | Rejection>;
  /** Enqueues the job that makes something and calls {@link stepMade} or {@link stepNotMade}. */
  run: (scope: Scope, run: StepRun) => void;
};

const unfinishedOf = ({ steps, created_by, owner_id }: queries.WorkflowRow, corrected: readonly string[]): makingQueries.MakingRow[] =>
  steps.flatMap((step, position) =>
    step.status === 'pending' || step.status === 'active' || (step.status === 'failed' && corrected.includes(step.id))
      ? [{ ...step, position, created_by, owner_id }]
      : [],
  );

/**
 * Returns the listeners for steps of a kind. `usual` run the steps that begin. `last` check the steps of a new, changed or started workflow, after the
 * domain of forms has checked their names. They use the rights of the actor and of the creator. Errors: 403 `insufficient_scope`, 422
 * `workflow_steps_invalid`.
 */
export function makingListeners(kind: Making, handler: StepHandler): { usual: EventListener[]; last: EventListener[] } {
  const unfinished = async ({ db, team }: Pick<ReadScope | Scope, 'db' | 'team'>, workflow: string, corrected: readonly string[] = []) => {
    const known = cachedRow({ db }, workflow);
    const steps = known
      ? unfinishedOf(known, corrected)
      : await db.all(makingQueries.unfinishedOfType, { team, id: workflow, type: kind, corrected });
    return steps.filter((step) => makingOf(step) === kind);
  };
  const requireScope = ({ actor }: Scope) => {
    if ('scopes' in actor && !actor.scopes.has(handler.scope))
      throw problems.insufficient_scope(
        `A step of type ${kind} needs the scope ${handler.scope}, which the API client does not have. Add the scope to the API client.`,
      );
  };
  const checkTemplate = async (scope: Scope) => {
    for (const { inputs, ...step } of cachedTemplateSteps(scope)) {
      if (makingOf(step) !== kind) continue;
      requireScope(scope);
      const found = await handler.target(scope, step.config);
      refuseStep(step, 'schema' in found ? targetErrors(step, inputs, found) : [stepError(found.member, found.reason, kind)]);
    }
  };
  const check = async (scope: Scope, workflow: string, corrected?: readonly string[]) => {
    for (const step of await unfinished(scope, workflow, corrected)) {
      requireScope(scope);
      const creator = creatorInTeam(step);
      const other =
        creator === undefined || ('id' in scope.actor && scope.actor.id === creator) ? undefined : await actorToday(scope, creator);
      for (const actor of [scope.actor, ...(other ? [other] : [])]) {
        const found = await handler.target({ ...scope, actor }, step.config);
        if ('schema' in found) refuseStep(step, valueErrors(scope, workflow, step.id, found));
        else {
          const reason = actor === scope.actor ? found.reason : `${found.reason} (with the rights of the creator of the workflow)`;
          refuseStep(step, [stepError(found.member, reason, kind)]);
        }
      }
    }
  };
  const last = [
    on(templateCreated, checkTemplate),
    on(templateUpdated, checkTemplate),
    on(workflowCreated, (scope, { targetId }) => check(scope, targetId)),
    on(workflowUpdated, async (scope, { targetId, data }) => {
      if (data.stepsReplaced === true) await check(scope, targetId, data.correctedSteps);
    }),
    on(workflowStarted, (scope, { targetId }) => check(scope, targetId)),
  ];
  const usual = [
    on(stepActivated, async (scope, { targetId: workflow, data }) => {
      if (data.type !== kind || !(await unfinished(scope, workflow)).some(({ id }) => id === data.stepId)) return;
      handler.run(scope, { workflow, step: data.stepId, begun: scope.now.toISOString() });
    }),
    // A run that ended during the pause did nothing.
    on(workflowResumed, async (scope, { targetId: workflow }) => {
      for (const { id: step, status, started_at: begun } of await unfinished(scope, workflow))
        if (status === 'active' && begun !== null) handler.run(scope, { workflow, step, begun });
    }),
  ];
  return { usual, last };
}

/** Throws 422 `workflow_steps_invalid` if a step has errors. */
function refuseStep({ position }: { position: number }, found: readonly StepError[]): void {
  const errors = found.map(({ member, reason, rule }) => fieldError(`/steps/${position}/${member}`, reason, rule));
  const [first] = errors;
  if (first) throw workflowProblems.workflow_steps_invalid(`${first.pointer} ${first.reason}.`, { errors: errors.slice(0, 20) });
}
