import { isDeepStrictEqual } from 'node:util';
import { dueTime, isDecision, requireInside, requireMembers } from '#tasks';
import { type Changes, changesBetween } from '../../platform/journal/changes.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { cleanName } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { advance } from './advance.ts';
import { asksRound, namedInRules } from './approval-config.ts';
import { requirePolicies } from './approval-steps.ts';
import { requireAgents } from './agent-steps.ts';
import * as documentQueries from './document-queries.ts';
import { documentRows, givenDocuments, linkDocuments, linkOfFirst, requireNamedDocuments, requireOneMatter } from './documents.ts';
import { nameOfMade } from './making.ts';
import { rejectUnreachableStep } from './document-status.ts';
import { escalatedTo, peopleNamed } from './escalation.ts';
import { workflowUpdated } from './events.ts';
import { lockGroupsOf } from './groups.ts';
import { findRow, lockEditableWorkflow } from './lookup.ts';
import { presentWorkflow } from './present.ts';
import { workflowProblems } from './problems.ts';
import * as changeQueries from './change-queries.ts';
import { creatorInTeam } from './creator.ts';
import * as roleQueries from './role-queries.ts';
import type * as queries from './queries.ts';
import type { NamedDocument, StepInput, UpdateWorkflow, Workflow } from './schemas.ts';
import { asAssignee } from './roles.ts';
import { changeable } from './states.ts';
import { newSigningSteps, requireRightToSign, requireScopeToSign, requireSigners } from './signature-steps.ts';
import { pendingStep, refuseViewersIn, requireAssignees, type StepDefinition, stepRows, storedSteps } from './step-rows.ts';
import { requireEndpoints } from './webhook-steps.ts';

const members = ['name', 'documentId', 'documents', 'steps', 'assignedTo', 'dueDate'] as const;

/**
 * Changes the members that may change in the current status. The given steps must include all steps that have begun, without changes. A step that
 * becomes ready begins immediately.
 */
export async function updateWorkflow(scope: Scope, id: string, input: UpdateWorkflow, expect: VersionCheck): Promise<Versioned<Workflow>> {
  // A step with an unchanged `config` stays as it is. The read before the lock is safe: only this function changes `config`, and `expect` compares
  // the version under the lock.
  const before = input.steps === undefined ? [] : (await findRow(scope, id)).steps;
  const steps = input.steps === undefined ? undefined : stepRows(input.steps, storedSteps(input.steps, before));
  requireSigners(steps ?? []);
  await lockGroupsOf(scope, steps ?? []);
  // Members are locked before the workflow, in the same order as an offboarding.
  const viewers = await requireMembers(scope, [
    ...(input.assignedTo ? [input.assignedTo] : []),
    ...(steps ?? []).flatMap(({ assignees }) => assignees),
    ...escalatedTo(steps ?? []),
    ...namedInRules(steps ?? [], 'user'),
  ]);
  const roles = steps?.flatMap((step) => step.roles) ?? [];
  if (roles.length > 0) scope.db.send(roleQueries.lockMembersWithRoles, { team: scope.team, roles });
  const kept = await lockEditableWorkflow(scope, id);
  expect(kept.version);
  requireChangeable(kept, input);
  const changed = await withMembers(scope, kept, input);
  let corrected: string[] = [];
  refuseOtherAssignee(kept, changed);
  if (steps !== undefined) {
    changed.steps = replacedSteps(kept, steps, input.steps ?? []);
    requireNamedDocuments(changed.steps, givenOf(kept, changed));
    corrected = await requireUsable(scope, kept, changed);
  } else if (changed.documents !== kept.documents) requireNamedDocuments(changed.steps, givenOf(kept, changed));
  if (kept.status !== 'draft') rejectUnreachableStep(changed);
  refuseViewersIn(
    viewers,
    changed.steps.filter(({ status }) => status === 'pending'),
    changed.assigned_to,
  );
  if (kept.status !== 'draft') requireAssignees(changed);
  if (changed.documents !== kept.documents) {
    scope.db.send(documentQueries.dropDocuments, { team: scope.team, id: kept.id });
    scope.db.send(documentQueries.insertDocuments, { team: scope.team, id: kept.id, documents: documentRows(changed.documents) });
  }
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
  if (steps !== undefined) writeSteps(scope, changed, { steps, corrected });
  const data = {
    changes: changedMembers(kept, changed),
    ...(steps === undefined ? {} : { stepsReplaced: true }),
    ...(corrected.length === 0 ? {} : { correctedSteps: corrected }),
  };
  await record(scope, workflowUpdated, kept.id, data, kept.barred || changed.barred);
  if (kept.status === 'active') await advance(scope, { ...changed, written: true });
  const row = await findRow(scope, kept.id);
  return { value: presentWorkflow(row), version: row.version };
}

/**
 * Checks the new and corrected steps with the rights of the actor. A corrected step begins again, so it is checked like a pending one. Returns the ids of the
 * corrected steps. Errors: 403, 422.
 */
async function requireUsable(scope: Scope, kept: queries.WorkflowRow, changed: queries.WorkflowRow): Promise<string[]> {
  const corrected = correctedSteps(kept, changed);
  const given = changed.steps.map((step) => (corrected.includes(step.id) ? { ...step, status: 'pending' as const } : step));
  requireScopeToSign(scope, newSigningSteps(kept.steps, given));
  await requireRightToSign(scope, { ...changed, steps: kept.steps }, given);
  const checked = given.map((step) => (step.status === 'pending' ? step : { ...step, type: '', config: {} }));
  await requireAgents(scope, checked, (kept.created_by_type === 'user' ? creatorInTeam(kept) : undefined) ?? null);
  await requirePolicies(scope, checked, changed.about_document_id);
  await requireEndpoints(scope, checked, creatorInTeam(kept));
  return corrected;
}

/** Returns the people that a change names in its steps and as assignee. If the document changes, returns all people of the workflow. */
function newlyNamed(changed: queries.WorkflowRow, { documentId, documents, steps, assignedTo }: UpdateWorkflow): string[] {
  const all = documentId !== undefined || documents !== undefined;
  const named = {
    steps: all || steps !== undefined ? changed.steps.filter(({ status }) => status === 'pending') : [],
    assigned_to: all || assignedTo !== undefined ? changed.assigned_to : null,
  };
  return peopleNamed(named);
}

/** Maximum number of steps, and of people in a step, in a journal entry. The entry shows the change and not the whole workflow. */
const maxNamed = { steps: 15, people: 5 };

/** Returns the changed members with old and new values; for steps, those that differ, by identifier. */
function changedMembers(before: queries.WorkflowRow, after: queries.WorkflowRow): Changes {
  const plain = ({ name, document_id: documentId, documents, assigned_to: assignedTo, due_at: dueDate }: queries.WorkflowRow) => ({
    name,
    documentId,
    documents: documents.map((one) => ({ name: one.name, documentId: one.document_id })),
    assignedTo,
    dueDate,
  });
  const steps = (row: queries.WorkflowRow) =>
    Object.fromEntries(
      row.steps.map(({ id, type, assignees, roles, groups }) => [
        id,
        {
          type,
          assignees: [...roles.map(asAssignee), ...assignees].slice(0, maxNamed.people),
          ...(groups.length === 0 ? {} : { groups: groups.slice(0, maxNamed.people) }),
        },
      ]),
    );
  const [were, are] = [steps(before), steps(after)];
  // Removed steps count as changed too.
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
    `The workflow is ${kept.status}: \`${refused}\` can no longer be changed. You can change ${[...allowed].join(', ')}.`,
  );
}

async function withMembers(scope: Scope, kept: queries.WorkflowRow, input: UpdateWorkflow): Promise<queries.WorkflowRow> {
  const dueAt = typeof input.dueDate === 'string' ? await dueTime(scope, input.dueDate) : null;
  return {
    ...kept,
    ...(await linkOf(scope, kept, input)),
    name: input.name === undefined ? kept.name : cleanName(input.name),
    assigned_to: input.assignedTo === undefined ? kept.assigned_to : (input.assignedTo?.toLowerCase() ?? null),
    due_at: input.dueDate === undefined ? kept.due_at : dueAt,
  };
}

/** Returns the documents of a workflow after a change, without those that its steps have made. */
const givenOf = (kept: queries.WorkflowRow, { documents }: queries.WorkflowRow) => {
  const made = new Set(kept.steps.flatMap((step) => nameOfMade(step) ?? []));
  return [...documents.filter(({ name }) => !made.has(name)), ...kept.omitted_documents.map((name) => ({ name }))];
};

type Link = Pick<
  queries.WorkflowRow,
  'documents' | 'document_id' | 'linked_document_id' | 'about_document_id' | 'container_id' | 'linked_by' | 'barred'
>;

/**
 * Returns the new documents, all with the actor as the user who linked them, or nothing if they stay the same. Errors: 403 `document_access_denied`,
 * 422 `matter_of_document`, `workflow_documents_invalid`.
 */
async function linkOf(scope: Scope, kept: queries.WorkflowRow, { documentId, documents }: UpdateWorkflow): Promise<Partial<Link>> {
  if (documentId === undefined && documents === undefined) return {};
  const before = kept.documents.map(({ name, document_id: id }) => ({ name, documentId: id }));
  const given = givenDocuments(
    documents === undefined
      ? { documents: before.map((one, at) => (at === 0 ? { ...one, documentId: documentId ?? '' } : one)) }
      : { documentId, documents },
  );
  const lower = (named: readonly NamedDocument[]) => named.map(({ name, documentId: id }) => [name, id.toLowerCase()]);
  if (isDeepStrictEqual(lower(given), lower(before))) return {};
  const links = await linkDocuments(scope, given);
  const first = links[0]?.linked;
  const matter = first === undefined ? kept.container_id : first.matterId;
  requireOneMatter(links, matter);
  const rows = links.map(({ linked: _linked, ...link }, at) => ({
    ...link,
    leads: false,
    ...(at === 0 ? { about_document_id: link.linked_document_id ?? matter } : {}),
  }));
  const barred = links.some(({ linked }) => linked?.barred) || (matter !== null && kept.barred);
  return { ...linkOfFirst(kept.id, rows), documents: rows, container_id: matter, barred };
}

/** Whether the decision was already requested from its assignees. Then it keeps them when it restarts. */
const wasRequested = (step: queries.StepRow): boolean => isDecision(step.type) && step.task_ids.length > 0;

/**
 * Returns the steps after the change. Steps that have begun, and requested decisions that restart, stay unchanged. A failed step gets the given
 * settings. The others are as given. Errors: 409 `approval_already_requested`, `invalid_transition`, 422 `workflow_steps_invalid`.
 */
function replacedSteps(kept: queries.WorkflowRow, given: readonly StepDefinition[], input: readonly StepInput[]): queries.StepRow[] {
  const fixed = new Map(kept.steps.filter((step) => step.status !== 'pending' || wasRequested(step)).map((step) => [step.id, step]));
  const missing = [...fixed.keys()].find((id) => !given.some((step) => step.id === id));
  if (missing !== undefined)
    throw workflowProblems.workflow_steps_invalid(`The step “${missing}” has begun, so you cannot remove it. Add it to the steps again.`);
  const changed = given.find((step) => {
    const before = fixed.get(step.id);
    return before?.status === 'pending' && !sameQuestion(before, step);
  });
  if (changed !== undefined) throw alreadyRequested(changed.id);
  return given.map((step, at) => {
    const before = fixed.get(step.id);
    if (before === undefined) return pendingStep(step);
    requireUnchanged(before, step, input[at]);
    return before.status === 'failed' && input[at]?.config !== undefined ? { ...before, config: step.config } : before;
  });
}

/** Rejects other settings or another type for a step that has begun. The settings of a failed step can change. Errors: 409 `invalid_transition`. */
function requireUnchanged(before: queries.StepRow, { type, config }: StepDefinition, input: StepInput | undefined): void {
  const isOther = input?.config !== undefined && before.status !== 'failed' && !isDeepStrictEqual(config, before.config);
  if (type === before.type && !isOther) return;
  const member = isOther ? 'config' : 'type';
  const now = before.status === 'failed' ? 'failed' : before.status === 'active' ? 'in progress' : 'over';
  const next =
    before.status === 'failed'
      ? 'You can change its `config`, and complete the task about the failure with `retry`.'
      : 'Send the step as it is. Only steps that have not begun and the `config` of failed steps can change.';
  throw workflowProblems.invalid_transition(`The step “${before.id}” is ${now}: its \`${member}\` can no longer be changed. ${next}`);
}

/** Returns the ids of the failed steps whose settings change. */
const correctedSteps = (kept: queries.WorkflowRow, changed: queries.WorkflowRow): string[] =>
  changed.steps.flatMap(({ id, status, config }) =>
    status === 'failed' && !isDeepStrictEqual(config, kept.steps.find((one) => one.id === id)?.config) ? [id] : [],
  );

const alreadyRequested = (step: string) =>
  workflowProblems.approval_already_requested(
    `The step “${step}” has already requested a decision and requests the same decision when it restarts, so you cannot change the step. An administrator can reassign its task.`,
  );

/** Whether a step asks the same people for the same decision, with the same dependencies. */
function sameQuestion(before: queries.StepRow, after: StepDefinition): boolean {
  const question = ({ type, mode, assignees, roles, groups, depends_on, config }: Omit<StepDefinition, 'position'>) => ({
    type,
    mode,
    assignees: assignees.toSorted(),
    roles,
    groups: groups.toSorted(),
    depends_on: depends_on.toSorted(),
    config,
  });
  return isDeepStrictEqual(question(before), question(after));
}

/**
 * Decisions without an assignee go to the assignee of the workflow. That assignee cannot change after such a decision was requested. Errors: 409
 * `approval_already_requested`.
 */
function refuseOtherAssignee(kept: queries.WorkflowRow, changed: queries.WorkflowRow): void {
  if (changed.assigned_to === kept.assigned_to) return;
  const step = kept.steps.find(
    (one) => one.status === 'pending' && wasRequested(one) && one.assignees.length + one.groups.length === 0 && !asksRound(one),
  );
  if (step !== undefined) throw alreadyRequested(step.id);
}

type WrittenSteps = { steps: readonly StepDefinition[]; corrected: readonly string[] };

function writeSteps(scope: Scope, changed: queries.WorkflowRow, { steps, corrected }: WrittenSteps): void {
  const { team } = scope;
  const kept = changed.steps.filter(wasRequested).map(({ id }) => id);
  scope.db.send(changeQueries.dropPendingSteps, { team, id: changed.id, kept });
  scope.db.send(changeQueries.insertSteps, { team, id: changed.id, steps: JSON.stringify(steps) });
  for (const { id: step, config } of changed.steps)
    if (corrected.includes(step)) scope.db.send(changeQueries.correctStep, { team, id: changed.id, step, config: JSON.stringify(config) });
  scope.db.send(changeQueries.measureSteps, { team, id: changed.id });
}
