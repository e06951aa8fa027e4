import { findLinkedDocument } from '#documents';
import { dueTime, requireMembers } from '#tasks';
import { recordAct } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import { advance } from './advance.ts';
import { workflowUpdated } from './events.ts';
import { findRow, holdRow } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { UpdateWorkflow, Workflow } from './schemas.ts';
import type { Versioned } from './service.ts';
import { changeable } from './states.ts';
import { pendingStep, requireAssignees, type StepDefinition, stepRows } from './step-rows.ts';

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
  await requireMembers(scope, [...(input.assignedTo ? [input.assignedTo] : []), ...(steps ?? []).flatMap(({ assignees }) => assignees)]);
  const kept = await holdRow(scope, id);
  expect(kept.version);
  requireChangeable(kept, input);
  const changed = await withMembers(scope, kept, input);
  if (steps !== undefined) changed.steps = replacedSteps(kept, steps);
  if (kept.status !== 'draft') requireAssignees(changed);
  await Promise.all([
    scope.db.all(queries.updateWorkflow, {
      team: scope.team,
      id: kept.id,
      name: changed.name,
      document: changed.document_id,
      linked: changed.document_linked,
      assignedTo: changed.assigned_to,
      dueAt: changed.due_at,
      dueGiven: input.dueDate !== undefined,
      at: scope.now,
    }),
    ...(steps === undefined ? [] : writeSteps(scope, kept.id, steps)),
    recordAct(scope, workflowUpdated, kept.id, { members: members.filter((member) => input[member] !== undefined) }),
  ]);
  if (kept.status === 'active') await advance(scope, changed);
  const row = await findRow(scope, kept.id);
  return { value: presentWorkflow(row), version: row.version };
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
  const linked = input.documentId === undefined ? undefined : await findLinkedDocument(scope, input.documentId);
  const dueAt = typeof input.dueDate === 'string' ? await dueTime(scope, input.dueDate) : null;
  return {
    ...kept,
    name: input.name === undefined ? kept.name : cleanName(input.name),
    document_id: linked?.id ?? input.documentId ?? kept.document_id,
    document_linked: input.documentId === undefined ? kept.document_linked : linked !== undefined,
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
  ];
}
