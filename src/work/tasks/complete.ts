import { endGrantsOfTask, readableDocument } from '#documents';
import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { taskCompleted, taskRejected } from './events.ts';
import { conflictedPersons } from './eligible-queries.ts';
import { asksAboutCall, defaultOutcome, isDecision, decidesOnVersion } from './kinds.ts';
import { lockRound } from './lock-queries.ts';
import { loadTaskForUpdate } from './lookup.ts';
import { type CompletionRefusal, completionRefusal } from './access.ts';
import { taskEndEventData, presentTask } from './present.ts';
import { emergencyAccessOnlyReads } from './barrier.ts';
import { taskProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CompleteTask, RecordSignature, Task } from './schemas.ts';

type Ending = { outcome: string; comment?: string | undefined; documentVersion?: number | undefined };

/**
 * Completes a task with one of its outcomes. Event listeners advance its workflow in the same transaction. Errors: 403, 404, 409 `task_not_open`,
 * `document_changed`, `round_over`, 412, 422 `outcome_invalid`.
 */
export async function completeTask(scope: Scope, id: string, input: CompleteTask, expect: VersionCheck): Promise<Versioned<Task>> {
  const task = await loadTaskForCompletion(scope, id, expect);
  const outcome = input?.outcome ?? (isDecision(task.type) ? undefined : defaultOutcome(task.outcomes));
  if (outcome === undefined || !task.outcomes.includes(outcome)) throw outcomeInvalid(task, outcome);
  return end(scope, task, { outcome, comment: input?.comment, documentVersion: input?.documentVersion });
}

/**
 * Records a signature that the assignee gave or declined outside this service, on paper or with another provider. The outcome `signed_elsewhere` is
 * not a signature of this service.
 */
export async function recordSignature(scope: Scope, id: string, input: RecordSignature, expect: VersionCheck): Promise<Versioned<Task>> {
  const task = await loadTaskForCompletion(scope, id, expect);
  if (task.type !== 'signature')
    throw taskProblems.outcome_invalid(
      'This task does not ask for a signature. Complete it with one of its outcomes.',
      outcomeErrors(task),
    );
  return end(scope, task, input);
}

/** Completes a form task after the actor submitted the form. Errors: 403, 404, 409 `task_not_open`, and the errors of the event listeners. */
export async function completeByForm(scope: Scope, id: string): Promise<void> {
  const task = await loadTaskForCompletion(scope, id, () => undefined);
  if (task.type !== 'form') throw new Error('only a form task is completed by a submission');
  await end(scope, task, { outcome: 'submitted' });
}

/** Locks a task and checks that it is open and that the actor may complete it. */
async function loadTaskForCompletion(scope: Scope, id: string, expect: VersionCheck): Promise<queries.SeenTask> {
  const task = await loadTaskForUpdate(scope, id);
  if (task.cancel_reason === 'document_changed')
    throw taskProblems.document_changed(
      'The document has a newer version than the version of this task. The step has restarted with a new task. List your tasks to find it.',
    );
  expect(task.version);
  await requireOpenRound(scope, task);
  if (task.status !== 'open')
    throw taskProblems.task_not_open('The task is already completed, rejected or cancelled. Read it to see its outcome.');
  const refusal = completionRefusal(scope.actor, task, await isConflicted(scope, task));
  if (refusal === 'another_person' && task.approval_round_id !== null)
    throw problems.forbidden(
      `Only the candidate can cast this vote. The owner or an administrator can replace a candidate with POST /api/v1/approvals/${task.approval_round_id}/replace.`,
    );
  if (refusal === 'second_person' && task.approval_round_id !== null) throw taskProblems.excluded_from_round(excludedFromRound);
  if (refusal !== undefined) throw problems.forbidden(refusals[refusal]);
  return task;
}

/** Requires that the approval round of a vote accepts votes. Errors: 409 `round_over`. */
async function requireOpenRound({ db, team }: Scope, { approval_round_id: round, status }: queries.SeenTask): Promise<void> {
  if (round === null || status === 'completed' || status === 'rejected') return;
  if (status === 'open' && (await db.first(lockRound, { team, round }))?.open) return;
  throw taskProblems.round_over(`The approval round has ended or expired. Read GET /api/v1/approvals/${round} to see its result.`);
}

const excludedFromRound =
  'The rules of the round exclude you, or you have voted already. They exclude creators, uploaders, submitters and requesters, and the members responsible for their API clients. The owner or an administrator replaces you with POST /api/v1/approvals/{id}/replace.';

/**
 * Whether the two-person rule excludes the actor from an approval or review because of an action after the workflow started. Earlier actions do not
 * count, because they were known when the assignee was chosen, unless the team has `fourEyes`. An approval round excludes the persons that its rules name.
 */
async function isConflicted({ db, team, actor }: Scope, task: queries.SeenTask): Promise<boolean> {
  const { id, type, approval_round_id: round } = task;
  if (actor.type !== 'user' || (round === null && !decidesOnVersion(type))) return false;
  return (await db.all(conflictedPersons, { team, id })).some((person) => person.late && person.id === actor.id);
}

const refusals: Record<CompletionRefusal, string> = {
  unclaimed: 'The task belongs to your group. Claim it first with POST …/claim.',
  another_person: 'Only the assignee can complete this task. The assignee or an administrator can reassign it.',
  person_needed: 'An API client cannot complete this task. Ask its assignee to complete it.',
  second_person:
    'You, or an API client that you are responsible for, created the workflow, uploaded this version or submitted a form. Another member must decide on it. Reassign the task, or ask an administrator to do so.',
  emergency_access: emergencyAccessOnlyReads,
  viewer: 'Viewers can complete only tasks and acknowledgements. Ask an owner or administrator to reassign this task.',
};

function outcomeErrors(task: queries.SeenTask) {
  const reason = task.outcomes.length === 0 ? 'is not accepted here' : `must be one of ${task.outcomes.join(', ')}`;
  return { errors: [{ name: 'outcome', pointer: '/outcome', reason, rule: 'enum' }] };
}

function outcomeInvalid(task: queries.SeenTask, given: string | undefined) {
  if (task.type === 'signature')
    return taskProblems.outcome_invalid(
      'A signature task is completed by signing. Record a signature outside this service with POST …/signature.',
      outcomeErrors(task),
    );
  if (task.outcomes.length === 0)
    return taskProblems.outcome_invalid(
      'This task is completed by submitting its form. Use the link in the mail, or request one with POST /api/v1/interfaces/task-links.',
      outcomeErrors(task),
    );
  const said = given === undefined ? 'This task needs an outcome' : `“${given.slice(0, 100)}” is not an outcome of this task`;
  return taskProblems.outcome_invalid(`${said}. Use one of ${task.outcomes.map((one) => `\`${one}\``).join(', ')}.`, outcomeErrors(task));
}

/** Returns the version of the document that the caller examined, which is stored with the completed task. Errors: 409 `document_changed`. */
async function lookedAt(
  scope: Scope,
  task: queries.SeenTask,
  given: number | undefined,
): Promise<{ version: number | null; sha256: string | null }> {
  const pinned = { version: task.document_version, sha256: task.document_sha256 };
  if (given === undefined || given === pinned.version) return pinned;
  const newest = task.linked_document_id === null ? undefined : await readableDocument(scope, task.linked_document_id);
  // A task that is not a decision may end on a newer version than it began with.
  if (!isDecision(task.type) && newest?.version === given) return { version: given, sha256: newest.sha256 ?? null };
  const about = pinned.version === null ? 'about no version of a file' : `about version ${pinned.version}`;
  const there = newest?.version === undefined ? '' : `, and version ${newest.version} is the newest`;
  throw taskProblems.document_changed(
    `You examined version ${given}, but the task is ${about}${there}. Read the task and the document again, then decide.`,
  );
}

const refused = new Set(['rejected', 'changes_requested', 'declined']);

async function end(scope: Scope, task: queries.SeenTask, ending: Ending): Promise<Versioned<Task>> {
  const { version, sha256 } = await lookedAt(scope, task, ending.documentVersion);
  const status = isDecision(task.type) && refused.has(ending.outcome) ? 'rejected' : 'completed';
  const by = scope.actor.type === 'system' ? null : scope.actor.id;
  const at = scope.now.toISOString();
  const description = asksAboutCall(task) ? null : task.description;
  const ended: queries.SeenTask = {
    ...task,
    description,
    status,
    outcome: ending.outcome,
    comment: ending.comment ?? null,
    completed_by: by,
    completed_by_type: scope.actor.type,
    participant_id: by ?? task.assigned_to,
    document_version: version,
    document_sha256: sha256,
    completed_at: at,
    updated_at: at,
    version: task.version + 1,
  };
  const { written } = await pipelined({
    written: () =>
      scope.db.first(queries.endTask, {
        team: scope.team,
        id: task.id,
        description,
        status,
        outcome: ending.outcome,
        comment: ended.comment,
        by,
        byType: scope.actor.type,
        documentVersion: version,
        sha256,
        at: scope.now,
      }),
    followed: async () => {
      // A task without a document has no grants. The deletion of a document deletes its grants.
      if (task.linked_document_id !== null) await endGrantsOfTask(scope, [task.id], by ?? undefined);
      await record(scope, status === 'rejected' ? taskRejected : taskCompleted, task.id, taskEndEventData(ended), task.barred);
    },
  });
  if (!written) throw new Error(`the task ${task.id} changed under its lock`);
  return { value: presentTask(ended), version: ended.version };
}
