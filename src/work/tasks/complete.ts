import { endGrantsOfTask, readableDocument } from '#documents';
import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { Scope } from '../../platform/scope.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { taskCompleted, taskRejected } from './events.ts';
import { conflictedPersons } from './eligible-queries.ts';
import { asksAboutCall, defaultOutcome, isDecision, judgesVersion } from './kinds.ts';
import { loadTaskForUpdate } from './lookup.ts';
import { type CompletionRefusal, completionRefusal } from './access.ts';
import { announcedEnd, presentTask } from './present.ts';
import { emergencyAccessOnlyReads } from './barrier.ts';
import { taskProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { CompleteTask, RecordSignature, Task } from './schemas.ts';

type Ending = { outcome: string; comment?: string | undefined; documentVersion?: number | undefined };

/**
 * Ends a task with one of its outcomes. What follows in its workflow happens in the same transaction, by whoever hears the
 * event. Errors: 403, 404, 409 `task_not_open`, `document_changed`, 412, 422 `outcome_invalid`.
 */
export async function completeTask(scope: Scope, id: string, input: CompleteTask, expect: VersionCheck): Promise<Versioned<Task>> {
  const task = await loadTaskForCompletion(scope, id, expect);
  const outcome = input?.outcome ?? (isDecision(task.type) ? undefined : defaultOutcome(task.outcomes));
  if (outcome === undefined || !task.outcomes.includes(outcome)) throw outcomeInvalid(task, outcome);
  return end(scope, task, { outcome, comment: input?.comment, documentVersion: input?.documentVersion });
}

/**
 * Records what became of a signature that was given outside the service: on paper, or with another provider. It is for the
 * person the signature was asked of, and says so in the journal: `signed_elsewhere` is no signature of this service.
 */
export async function recordSignature(scope: Scope, id: string, input: RecordSignature, expect: VersionCheck): Promise<Versioned<Task>> {
  const task = await loadTaskForCompletion(scope, id, expect);
  if (task.type !== 'signature')
    throw taskProblems.outcome_invalid('This task asks for no signature. Complete it with one of its outcomes.', outcomeErrors(task));
  return end(scope, task, input);
}

/**
 * Ends a task whose step names a form, by what the actor has submitted there: that is its outcome. Errors: 403, 404, 409
 * `task_not_open`, and what those say who hear of it.
 */
export async function completeByForm(scope: Scope, id: string): Promise<void> {
  const task = await loadTaskForCompletion(scope, id, () => undefined);
  if (task.type !== 'form') throw new Error('only what asks for a form is ended by one');
  await end(scope, task, { outcome: 'submitted' });
}

/** The task under its lock, open, and the actor's to end. */
async function loadTaskForCompletion(scope: Scope, id: string, expect: VersionCheck): Promise<queries.SeenTask> {
  const task = await loadTaskForUpdate(scope, id);
  if (task.cancel_reason === 'document_changed')
    throw taskProblems.document_changed(
      'The document has a newer version than this task was about. Its step has begun again: look for the new task.',
    );
  expect(task.version);
  if (task.status !== 'open') throw taskProblems.task_not_open('The task was completed, rejected or cancelled before. Read it to see how.');
  const refusal = completionRefusal(scope.actor, task, await isConflicted(scope, task));
  if (refusal !== undefined) throw problems.forbidden(refusals[refusal]);
  return task;
}

/** Whether the two-person rule keeps the actor from an approval or review since the workflow began. Who named them before accepted what was known. */
async function isConflicted({ db, team, actor }: Scope, { id, type, document_version: version }: queries.SeenTask): Promise<boolean> {
  if (actor.type !== 'user' || version === null || !judgesVersion(type)) return false;
  return (await db.all(conflictedPersons, { team, id })).some((person) => person.late && person.id === actor.id);
}

const refusals: Record<CompletionRefusal, string> = {
  another_person: 'This task is for the person it is given to. They or an administrator can pass it on.',
  person_needed: 'This task needs the person it is given to: an API client cannot complete it.',
  second_person:
    'You uploaded this version, or an API client that you answer for did, so somebody else decides on it. Pass the task on, or ask an administrator to.',
  emergency_access: emergencyAccessOnlyReads,
  viewer: 'Viewers complete tasks and acknowledgements. Ask an owner or administrator to pass this one on.',
};

function outcomeErrors(task: queries.SeenTask) {
  const reason = task.outcomes.length === 0 ? 'is not taken here' : `must be one of ${task.outcomes.join(', ')}`;
  return { errors: [{ name: 'outcome', pointer: '/outcome', reason, rule: 'enum' }] };
}

function outcomeInvalid(task: queries.SeenTask, given: string | undefined) {
  if (task.type === 'signature')
    return taskProblems.outcome_invalid(
      'A signature is given by signing. One that was given outside the service is recorded with POST …/signature.',
      outcomeErrors(task),
    );
  if (task.outcomes.length === 0)
    return taskProblems.outcome_invalid(
      'This task is done by filling in its form: the link to it comes by mail, and by POST /api/v1/interfaces/task-links.',
      outcomeErrors(task),
    );
  const said = given === undefined ? 'This task is completed with an outcome' : `“${given.slice(0, 100)}” is no outcome of this task`;
  return taskProblems.outcome_invalid(`${said}: one of ${task.outcomes.map((one) => `\`${one}\``).join(', ')}.`, outcomeErrors(task));
}

/** The version a task is ended on: the one that was looked at. Errors: 409 `document_changed`. */
async function lookedAt(
  scope: Scope,
  task: queries.SeenTask,
  given: number | undefined,
): Promise<{ version: number | null; sha256: string | null }> {
  const pinned = { version: task.document_version, sha256: task.document_sha256 };
  if (given === undefined || given === pinned.version) return pinned;
  const newest = task.linked_document_id === null ? undefined : await readableDocument(scope, task.linked_document_id);
  // What only has to do with a document may be done on a newer version than it began with.
  if (!isDecision(task.type) && newest?.version === given) return { version: given, sha256: newest.sha256 ?? null };
  const about = pinned.version === null ? 'about no version of a file' : `about version ${pinned.version}`;
  const there = newest?.version === undefined ? '' : `, and version ${newest.version} is the newest`;
  throw taskProblems.document_changed(
    `You looked at version ${given}, and the task is ${about}${there}. Read the task and the document again, then decide.`,
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
      // A task about no document has opened none, and grants go with their document.
      if (task.linked_document_id !== null) await endGrantsOfTask(scope, [task.id], by ?? undefined);
      await record(scope, status === 'rejected' ? taskRejected : taskCompleted, task.id, announcedEnd(ended), task.barred);
    },
  });
  if (!written) throw new Error(`the task ${task.id} changed under its lock`);
  return { value: presentTask(ended), version: ended.version };
}
