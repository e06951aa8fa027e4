import { randomUUIDv7 } from 'node:crypto';
import { findLinkedDocument } from '#documents';
import { dueTime, requireMembers } from '#tasks';
import { isUuid, notFound, pathId } from '../platform/identifiers.ts';
import { record, recordAct } from '../platform/journal/record.ts';
import { problems } from '../platform/problems.ts';
import type { ReadScope, Scope } from '../platform/scope.ts';
import { cleanName } from '../platform/text.ts';
import { announced } from './advance.ts';
import { workflowCreated, workflowUpdated } from './events.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CreateWorkflow, StepInput, UpdateWorkflow, Workflow } from './schemas.ts';
import { changeable } from './states.ts';
import { dependencies, graphFault } from './steps.ts';

export type Versioned<T> = { value: T; version: number };

type Filters = {
  status?: string[] | undefined;
  assignedTo?: string | undefined;
  type?: string | undefined;
  documentId?: string | undefined;
  overdue?: boolean | undefined;
};

/** The team's workflows with their steps, by age, filtered. */
export async function listWorkflows(
  scope: ReadScope,
  filters: Filters,
  page: { after: string; limit: number },
): Promise<{ items: Workflow[]; next: string | undefined }> {
  if (filters.assignedTo === 'me' && scope.actor.type !== 'user')
    throw problems.person_required('`assignedTo=me` means the person who asks, and an API client is none. Name the person by identifier.');
  const assignee = filters.assignedTo === 'me' && scope.actor.type === 'user' ? scope.actor.id : filters.assignedTo;
  if (assignee !== undefined && !isUuid(assignee)) return { items: [], next: undefined };
  // No text in the database holds this character; nothing can match it.
  if ([filters.type, filters.documentId].some((text) => text?.includes('\0'))) return { items: [], next: undefined };
  const rows = await scope.db.all(queries.listWorkflows, {
    team: scope.team,
    status: filters.status ?? null,
    assignee: assignee ?? null,
    type: filters.type ?? null,
    document: filters.documentId ?? null,
    overdue: filters.overdue ?? null,
    now: scope.now,
    ...page,
  });
  return { items: rows.map(presentWorkflow), next: rows.length === page.limit ? rows.at(-1)?.id : undefined };
}

export async function getWorkflow(scope: ReadScope | Scope, id: string): Promise<Versioned<Workflow>> {
  const row = await findRow(scope, id);
  return { value: presentWorkflow(row), version: row.version };
}

export async function findRow(scope: ReadScope | Scope, id: string): Promise<queries.WorkflowRow> {
  const row = await scope.db.first(queries.findWorkflow, { team: scope.team, id: pathId(id, 'workflow') });
  if (!row) throw notFound('workflow');
  return row;
}

type StepRows = Omit<queries.StepRow, 'status' | 'started_at' | 'completed_at' | 'outcome' | 'wake_at' | 'task_ids'> & { position: number };

/** Steps as they are kept. Errors: 422 `workflow_steps_invalid`. */
function stepRows(steps: readonly StepInput[]): StepRows[] {
  const fault = graphFault(
    steps.map((step) => ({ ...step, onReject: typeof step.config?.onReject === 'string' ? step.config.onReject : undefined })),
  );
  if (fault !== undefined) throw workflowProblems.workflow_steps_invalid(fault);
  const before = dependencies(steps);
  return steps.map((step, position) => ({
    id: step.id,
    position,
    type: step.type,
    name: step.name === undefined ? null : cleanName(step.name),
    description: step.description ?? null,
    assignees: [...new Set([...(step.assignedTo === undefined ? [] : [step.assignedTo]), ...(step.assignees ?? [])])],
    mode: step.mode ?? 'all',
    depends_on: before[position] ?? [],
    due_in_days: step.dueInDays ?? null,
    config: step.config ?? {},
  }));
}

/** Checks steps without keeping them, as a template needs it. */
export function checkSteps(steps: readonly StepInput[]): void {
  stepRows(steps);
}

type NewWorkflow = Omit<CreateWorkflow, 'name'> & { name: string; type: string };

/** Creates a workflow as a draft. Errors: 422 `workflow_steps_invalid`, `assignee_not_found`. */
export async function createWorkflow(scope: Scope, input: NewWorkflow): Promise<Versioned<Workflow>> {
  if (scope.actor.type === 'system') throw problems.forbidden('A workflow needs somebody who creates it.');
  const name = cleanName(input.name);
  const steps = stepRows(input.steps);
  const [linked, dueAt] = await Promise.all([
    findLinkedDocument(scope, input.documentId),
    typeof input.dueDate === 'string' ? dueTime(scope, input.dueDate) : null,
    requireMembers(scope, [...(input.assignedTo ? [input.assignedTo] : []), ...steps.flatMap(({ assignees }) => assignees)]),
  ]);
  const id = randomUUIDv7();
  const documentId = linked?.id ?? input.documentId;
  await Promise.all([
    scope.db.all(queries.insertWorkflow, {
      team: scope.team,
      id,
      name,
      type: input.type,
      document: documentId,
      linked: linked !== undefined,
      assignedTo: input.assignedTo ?? null,
      createdBy: scope.actor.id,
      dueAt,
      steps: JSON.stringify(steps),
      at: scope.now,
    }),
    record(scope, workflowCreated, id, announced({ name, type: input.type, document_id: documentId })),
  ]);
  const at = scope.now.toISOString();
  const value = presentWorkflow({
    id,
    name,
    type: input.type,
    status: 'draft',
    document_id: documentId,
    document_linked: linked !== undefined,
    assigned_to: input.assignedTo ?? null,
    created_by: scope.actor.id,
    due_at: dueAt,
    reason: null,
    started_at: null,
    paused_at: null,
    completed_at: null,
    version: 1,
    created_at: at,
    updated_at: at,
    steps: steps.map((step) => ({
      ...step,
      status: 'pending',
      started_at: null,
      completed_at: null,
      outcome: null,
      wake_at: null,
      task_ids: [],
    })),
  });
  return { value, version: 1 };
}

/** Changes what the state allows. Steps that have begun stay as they are and must be among those given. */
export async function updateWorkflow(
  scope: Scope,
  id: string,
  input: UpdateWorkflow,
  expect: (version: number) => void,
): Promise<Versioned<Workflow>> {
  const kept = await findRow(scope, id);
  expect(kept.version);
  const allowed = changeable(kept.status);
  const refused = Object.keys(input).find(
    (member) => ['name', 'documentId', 'steps', 'assignedTo', 'dueDate'].includes(member) && !allowed.has(member),
  );
  if (refused !== undefined) {
    throw workflowProblems.invalid_transition(
      `The workflow is ${kept.status}: \`${refused}\` cannot be changed any more, only ${[...allowed].join(', ')}.`,
    );
  }
  const [linked, dueAt] = await Promise.all([
    input.documentId === undefined ? undefined : findLinkedDocument(scope, input.documentId),
    typeof input.dueDate === 'string' ? dueTime(scope, input.dueDate) : input.dueDate === null ? null : kept.due_at,
    requireMembers(scope, input.assignedTo ? [input.assignedTo] : []),
  ]);
  await Promise.all([
    scope.db.all(queries.updateWorkflow, {
      team: scope.team,
      id: kept.id,
      name: input.name === undefined ? kept.name : cleanName(input.name),
      document: linked?.id ?? input.documentId ?? kept.document_id,
      linked: input.documentId === undefined ? kept.document_linked : linked !== undefined,
      assignedTo: input.assignedTo === undefined ? kept.assigned_to : input.assignedTo,
      dueAt,
      at: scope.now,
    }),
    input.steps === undefined ? undefined : replaceSteps(scope, kept, input.steps),
    recordAct(scope, workflowUpdated, kept.id, { members: Object.keys(input) }),
  ]);
  return getWorkflow(scope, kept.id);
}

async function replaceSteps(scope: Scope, kept: queries.WorkflowRow, given: readonly StepInput[]): Promise<void> {
  const steps = stepRows(given);
  const begun = kept.steps.filter((step) => step.status !== 'pending');
  const missing = begun.find((step) => !steps.some(({ id }) => id === step.id));
  if (missing) throw workflowProblems.workflow_steps_invalid(`The step “${missing.id}” has begun: it must stay among the steps.`);
  await requireMembers(
    scope,
    steps.flatMap(({ assignees }) => assignees),
  );
  await Promise.all([
    scope.db.all(queries.dropPendingSteps, { team: scope.team, id: kept.id }),
    scope.db.all(queries.insertSteps, { team: scope.team, id: kept.id, steps: JSON.stringify(steps) }),
  ]);
}
