import { documentToOpen } from '#documents';
import { isDeepStrictEqual } from 'node:util';
import { dueTime, isDecision, requireInside, requireMembers } from '#tasks';
import { type Changes, changesBetween } from '../../platform/journal/changes.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { advance } from './advance.ts';
import { requireAgents } from './agent-steps.ts';
import { refuseToRefuse } from './document-status.ts';
import { escalatedTo, peopleNamed } from './escalation.ts';
import { workflowUpdated } from './events.ts';
import { findRow, holdChangeable } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as changeQueries from './change-queries.ts';
import { creatorInTeam } from './creator.ts';
import * as roleQueries from './role-queries.ts';
import type * as queries from './queries.ts';
import type { UpdateWorkflow, Workflow } from './schemas.ts';
import { asAssignee } from './roles.ts';
import { changeable } from './states.ts';
import { newSigningSteps, requireRightToSign, requireScopeToSign, requireSigners } from './signature-steps.ts';
import { pendingStep, refuseViewersIn, requireAssignees, type StepDefinition, stepRows, storedSteps } from './step-rows.ts';
import { requireEndpoints } from './webhook-steps.ts';

const members = ['name', 'documentId', 'steps', 'assignedTo', 'dueDate'] as const;

/**
 * Changes what the state allows. Steps that have begun stay as they are and must be among those given; one that is ready
 * by the change begins with it.
 */
export async function updateWorkflow(scope: Scope, id: string, input: UpdateWorkflow, expect: VersionCheck): Promise<Versioned<Workflow>> {
  // A step that is stored with just this `config` stays as it is. Only this call changes it, and `expect` compares under the lock.
  const before = input.steps === undefined ? [] : (await findRow(scope, id)).steps;
  const steps = input.steps === undefined ? undefined : stepRows(input.steps, storedSteps(input.steps, before));
  requireSigners(steps ?? []);
  // People are held before the workflow is: whoever leaves the team is taken in the same order.
  const viewers = await requireMembers(scope, [
    ...(input.assignedTo ? [input.assignedTo] : []),
    ...(steps ?? []).flatMap(({ assignees }) => assignees),
    ...escalatedTo(steps ?? []),
  ]);
  const roles = steps?.flatMap((step) => step.roles) ?? [];
  if (roles.length > 0) scope.db.send(roleQueries.holdRoles, { team: scope.team, roles });
  const kept = await holdChangeable(scope, id);
  expect(kept.version);
  requireChangeable(kept, input);
  const changed = await withMembers(scope, kept, input);
  refuseOtherAssignee(kept, changed);
  if (steps !== undefined) {
    changed.steps = replacedSteps(kept, steps);
    requireScopeToSign(scope, newSigningSteps(kept.steps, changed.steps));
    await requireRightToSign(scope, { ...changed, steps: kept.steps }, changed.steps);
    const given = changed.steps.map((step) => (step.status === 'pending' ? step : { ...step, type: '' }));
    await requireAgents(scope, given, (kept.created_by_type === 'user' ? creatorInTeam(kept) : undefined) ?? null);
    await requireEndpoints(scope, given, creatorInTeam(kept));
  }
  if (kept.status !== 'draft') refuseToRefuse(changed);
  refuseViewersIn(
    viewers,
    changed.steps.filter(({ status }) => status === 'pending'),
    changed.assigned_to,
  );
  if (kept.status !== 'draft') requireAssignees(changed);
  if (changed.barred) await requireInside(scope, changed.about_document_id, newlyNamed(changed, input));
  scope.db.send(changeQueries.updateWorkflow, {
    team: scope.team,
    id: kept.id,
    name: changed.name,
    document: changed.document_id,
    linked: changed.linked_document_id,
    about: changed.about_document_id,
    linkedBy: changed.linked_by,
    assignedTo: changed.assigned_to,
    dueAt: changed.due_at,
    dueGiven: input.dueDate !== undefined,
    at: scope.now,
  });
  if (steps !== undefined) writeSteps(scope, changed, steps);
  const data = { changes: changedMembers(kept, changed), ...(steps === undefined ? {} : { stepsReplaced: true }) };
  await record(scope, workflowUpdated, kept.id, data, kept.barred || changed.barred);
  if (kept.status === 'active') await advance(scope, { ...changed, written: true });
  const row = await findRow(scope, kept.id);
  return { value: presentWorkflow(row), version: row.version };
}

/** The people whom a change names: those of steps that it gives, and the assignee that it gives; all of them for another document. */
function newlyNamed(changed: queries.WorkflowRow, { documentId, steps, assignedTo }: UpdateWorkflow): string[] {
  const all = documentId !== undefined;
  const named = {
    steps: all || steps !== undefined ? changed.steps.filter(({ status }) => status === 'pending') : [],
    assigned_to: all || assignedTo !== undefined ? changed.assigned_to : null,
  };
  return peopleNamed(named);
}

/** Steps and people of a step that an entry of the journal names at most: it says what changed, not a whole workflow. */
const maxNamed = { steps: 15, people: 5 };

/** The members that a change changed, from what to what; of the steps those that differ, by their ids. */
function changedMembers(before: queries.WorkflowRow, after: queries.WorkflowRow): Changes {
  const plain = ({ name, document_id: documentId, assigned_to: assignedTo, due_at: dueDate }: queries.WorkflowRow) => ({
    name,
    documentId,
    assignedTo,
    dueDate,
  });
  const steps = (row: queries.WorkflowRow) =>
    Object.fromEntries(
      row.steps.map(({ id, type, assignees, roles }) => [
        id,
        { type, assignees: [...roles.map(asAssignee), ...assignees].slice(0, maxNamed.people) },
      ]),
    );
  const [were, are] = [steps(before), steps(after)];
  // What is gone counts as changed as well.
  const gone = Object.fromEntries(Object.keys(were).flatMap((id) => (Object.hasOwn(are, id) ? [] : [[id, undefined] as const])));
  const differing = Object.entries(changesBetween(were, { ...are, ...gone })).slice(0, maxNamed.steps);
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
  const dueAt = typeof input.dueDate === 'string' ? await dueTime(scope, input.dueDate) : null;
  return {
    ...kept,
    ...(await linkOf(scope, kept, input.documentId)),
    name: input.name === undefined ? kept.name : cleanName(input.name),
    assigned_to: input.assignedTo === undefined ? kept.assigned_to : (input.assignedTo?.toLowerCase() ?? null),
    due_at: input.dueDate === undefined ? kept.due_at : dueAt,
  };
}

type Link = Pick<queries.WorkflowRow, 'document_id' | 'linked_document_id' | 'about_document_id' | 'linked_by' | 'barred'>;

/** Who puts a document there answers for it. One that is sent back as it was read stays as it is, and its first giver's. */
async function linkOf(scope: Scope, kept: Link, documentId: string | undefined): Promise<Partial<Link>> {
  if (documentId === undefined || documentId.toLowerCase() === kept.document_id.toLowerCase()) return {};
  const linked = await documentToOpen(scope, documentId);
  return {
    document_id: linked?.id ?? documentId,
    linked_document_id: linked?.id ?? null,
    about_document_id: linked?.id ?? null,
    barred: linked?.barred ?? false,
    linked_by: scope.actor.type === 'system' ? kept.linked_by : scope.actor.id,
  };
}

/** A decision that somebody was asked for: also when it begins again, it stays with the people it was asked of. */
const wasRequested = (step: queries.StepRow): boolean => isDecision(step.type) && step.task_ids.length > 0;

/**
 * The steps as they are after the change: those that have begun, and decisions that were asked for before and begin again, as
 * they were, the others as given. Errors: 409 `approval_already_requested`, 422 `workflow_steps_invalid`.
 */
function replacedSteps(kept: queries.WorkflowRow, given: readonly StepDefinition[]): queries.StepRow[] {
  const fixed = new Map(kept.steps.filter((step) => step.status !== 'pending' || wasRequested(step)).map((step) => [step.id, step]));
  const missing = [...fixed.keys()].find((id) => !given.some((step) => step.id === id));
  if (missing !== undefined)
    throw workflowProblems.workflow_steps_invalid(`The step “${missing}” has begun: it must stay among the steps.`);
  const changed = given.find((step) => {
    const before = fixed.get(step.id);
    return before?.status === 'pending' && !sameQuestion(before, step);
  });
  if (changed !== undefined) throw alreadyRequested(changed.id);
  return given.map((step) => fixed.get(step.id) ?? pendingStep(step));
}

const alreadyRequested = (step: string) =>
  workflowProblems.approval_already_requested(
    `The step “${step}” has asked its people for a decision and begins again: it stays as it is. An administrator may pass its task on.`,
  );

/** Whether a step asks the same people for the same thing, at the same place. */
function sameQuestion(before: queries.StepRow, after: StepDefinition): boolean {
  const question = ({ type, mode, assignees, roles, depends_on, config }: Omit<StepDefinition, 'position'>) => ({
    type,
    mode,
    assignees: assignees.toSorted(),
    roles,
    depends_on: depends_on.toSorted(),
    config,
  });
  return isDeepStrictEqual(question(before), question(after));
}

/** Decisions that name nobody go to whom the workflow is given to: that one stays, once they were asked. Errors: 409 `approval_already_requested`. */
function refuseOtherAssignee(kept: queries.WorkflowRow, changed: queries.WorkflowRow): void {
  if (changed.assigned_to === kept.assigned_to) return;
  const step = kept.steps.find((one) => one.status === 'pending' && wasRequested(one) && one.assignees.length === 0);
  if (step !== undefined) throw alreadyRequested(step.id);
}

function writeSteps(scope: Scope, changed: queries.WorkflowRow, steps: readonly StepDefinition[]): void {
  const { team } = scope;
  const kept = changed.steps.filter(wasRequested).map(({ id }) => id);
  scope.db.send(changeQueries.dropPendingSteps, { team, id: changed.id, kept });
  scope.db.send(changeQueries.insertSteps, { team, id: changed.id, steps: JSON.stringify(steps) });
  scope.db.send(changeQueries.measureSteps, { team, id: changed.id });
}
