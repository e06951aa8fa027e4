import { documentToOpen } from '#documents';
import { dueTime, requireMembers } from '#tasks';
import { type Changes, changesBetween } from '../platform/journal/changes.ts';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import { advance } from './advance.ts';
import { workflowUpdated } from './events.ts';
import { findRow, holdChangeable } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { UpdateWorkflow, Workflow } from './schemas.ts';
import type { Versioned } from './service.ts';
import { changeable } from './states.ts';
import { pendingStep, refuseViewersIn, requireAssignees, type StepDefinition, stepRows } from './step-rows.ts';

const members = ['name', 'documentId', 'steps', 'assignedTo', 'dueDate'] as const;

/**
 * Changes what the state allows. Steps that have begun stay as they are and must be among those given; one that is ready
 * by the change begins with it.
 */
export async function updateWorkflow(
  scope: Scope,
  id: string,
  input: UpdateWorkflow,
  expect: (version: number) => void,
): Promise<Versioned<Workflow>> {
  const steps = input.steps === undefined ? undefined : stepRows(input.steps);
  // People are held before the workflow is: whoever leaves the team is taken in the same order.
  const viewers = await requireMembers(scope, [
    ...(input.assignedTo ? [input.assignedTo] : []),
    ...(steps ?? []).flatMap(({ assignees }) => assignees),
  ]);
  const kept = await holdChangeable(scope, id);
  expect(kept.version);
  requireChangeable(kept, input);
  const changed = await withMembers(scope, kept, input);
  if (steps !== undefined) changed.steps = replacedSteps(kept, steps);
  refuseViewersIn(
    viewers,
    changed.steps.filter(({ status }) => status === 'pending'),
    changed.assigned_to,
  );
  if (kept.status !== 'draft') requireAssignees(changed);
  await Promise.all([
    scope.db.all(queries.updateWorkflow, {
      team: scope.team,
      id: kept.id,
      name: changed.name,
      document: changed.document_id,
      linked: changed.linked_document_id,
      linkedBy: changed.linked_by,
      assignedTo: changed.assigned_to,
      dueAt: changed.due_at,
      dueGiven: input.dueDate !== undefined,
      at: scope.now,
    }),
    ...(steps === undefined ? [] : writeSteps(scope, kept.id, steps)),
    recordAct(scope, workflowUpdated, kept.id, { changes: changedMembers(kept, changed) }, kept.walled || changed.walled),
  ]);
  if (kept.status === 'active') await advance(scope, changed);
  const row = await findRow(scope, kept.id);
  return { value: presentWorkflow(row), version: row.version };
}

/** Steps and people of a step that an entry of the journal names at most: it says what changed, not a whole workflow. */
const mostNamed = { steps: 15, people: 5 };

/** The members that a change changed, from what to what; of the steps those that differ, by their ids. */
function changedMembers(before: queries.WorkflowRow, after: queries.WorkflowRow): Changes {
  const plain = ({ name, document_id: documentId, assigned_to: assignedTo, due_at: dueDate }: queries.WorkflowRow) => ({
    name,
    documentId,
    assignedTo,
    dueDate,
  });
  const steps = (row: queries.WorkflowRow) =>
    Object.fromEntries(row.steps.map(({ id, type, assignees }) => [id, { type, assignees: assignees.slice(0, mostNamed.people) }]));
  const [were, are] = [steps(before), steps(after)];
  // What is gone counts as changed as well.
  const gone = Object.fromEntries(Object.keys(were).flatMap((id) => (Object.hasOwn(are, id) ? [] : [[id, undefined] as const])));
  const differing = Object.entries(changesBetween(were, { ...are, ...gone })).slice(0, mostNamed.steps);
  return {
    ...changesBetween(plain(before), plain(after)),
    ...Object.fromEntries(differing.map(([id, change]) => [`steps/${id}`, change])),
  };
}

function requireChangeable(kept: queries.WorkflowRow, input: UpdateWorkflow): void {
  const allowed = changeable(kept.status);
  const refused = members.find((member) => input[member] !== undefined && !allowed.has(member));
  if (refused === undefined) return;
  throw workflowProblems.invalid_transition(
    `The workflow is ${kept.status}: \`${refused}\` cannot be changed any more, only ${[...allowed].join(', ')}.`,
  );
}

async function withMembers(scope: Scope, kept: queries.WorkflowRow, input: UpdateWorkflow): Promise<queries.WorkflowRow> {
  const linked = input.documentId === undefined ? undefined : await documentToOpen(scope, input.documentId);
  const dueAt = typeof input.dueDate === 'string' ? await dueTime(scope, input.dueDate) : null;
  return {
    ...kept,
    name: input.name === undefined ? kept.name : cleanName(input.name),
    document_id: linked?.id ?? input.documentId ?? kept.document_id,
    linked_document_id: input.documentId === undefined ? kept.linked_document_id : (linked?.id ?? null),
    walled: input.documentId === undefined ? kept.walled : (linked?.walled ?? false),
    // Who puts a document there answers for it; an id that was there before stays its first giver's.
    linked_by: input.documentId === undefined || scope.actor.type === 'system' ? kept.linked_by : scope.actor.id,
    assigned_to: input.assignedTo === undefined ? kept.assigned_to : (input.assignedTo?.toLowerCase() ?? null),
    due_at: input.dueDate === undefined ? kept.due_at : dueAt,
  };
}

/** The steps as they are after the change: those that have begun as they were, the others as given. */
function replacedSteps(kept: queries.WorkflowRow, given: readonly StepDefinition[]): queries.StepRow[] {
  const begun = new Map(kept.steps.filter((step) => step.status !== 'pending').map((step) => [step.id, step]));
  const missing = [...begun.keys()].find((id) => !given.some((step) => step.id === id));
  if (missing !== undefined)
    throw workflowProblems.workflow_steps_invalid(`The step “${missing}” has begun: it must stay among the steps.`);
  return given.map((step) => begun.get(step.id) ?? pendingStep(step));
}

function writeSteps(scope: Scope, id: string, steps: readonly StepDefinition[]): Promise<unknown>[] {
  return [
    scope.db.all(queries.dropPendingSteps, { team: scope.team, id }),
    scope.db.all(queries.insertSteps, { team: scope.team, id, steps: JSON.stringify(steps) }),
    scope.db.all(queries.measureSteps, { team: scope.team, id }),
  ];
}
