import { createTasks, type NewTask, outsidersOf, type TaskDocument } from '#tasks';
import { ownerOfTeam } from '#teams';
import { teamWorkingTime, type WorkingTime } from '#working-time';
import { pipelined } from '../../platform/database/pipelined.ts';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { documentOfStep, documentsFor, documentsOfStep, sharedDocument } from './documents.ts';
import { asksRound } from './approval-config.ts';
import { askRound } from './approval-steps.ts';
import { aboutStep } from './event-data.ts';
import { endStep, finish, writeSteps } from './ending.ts';
import { stepActivated } from './events.ts';
import { escalatesInWorkingDays } from './escalation.ts';
import { membersOfGroups, settleGroups } from './groups.ts';
import { type Notice, sendNotices } from './notices.ts';
import type * as queries from './queries.ts';
import { peopleOfRoles, storeStepAssignees } from './roles.ts';
import { readConditions } from './step-conditions.ts';
import { wakeTime, workingDaysOf } from './step-config.ts';
import { recordStepFailure } from './step-failure.ts';
import { asksToSign } from './signature-config.ts';
import { askToSign } from './signature-steps.ts';
import { conditionInputMissing, dueOf, peopleOf, taskFor } from './step-tasks.ts';
import { allDone, readySteps } from './steps.ts';
import { timeoutOf } from './step-timeout.ts';
import { makingOf } from './making.ts';
import { waitsForAnswer } from './webhook-config.ts';
import { askEndpoint, endpointsToAsk } from './webhook-steps.ts';

/** The changes of one engine run, collected to write them in few statements. */
type AdvanceContext = {
  changed: Set<string>;
  tasks: NewTask[];
  notices: Notice[];
  writes: Promise<unknown>[];
  /** Steps whose signature requests must be created. */
  signatures: queries.StepRow[];
  /** Steps whose approval rounds must begin. */
  rounds: queries.StepRow[];
  /** The assignee of steps that name no assignee. */
  fallback: string | null;
  /** The working time of the team; read only if a step is due in working days. */
  time: WorkingTime | undefined;
  /** The endpoints that pending steps may call. */
  mayAsk: ReadonlySet<string>;
};

/**
 * Returns the default assignee: the assignee of the workflow, its owner if that is a person, or the owner of the team. Skips people excluded by a
 * barrier around the document; if all are excluded, the task has no assignee.
 */
async function fallbackPerson(scope: Scope, row: queries.WorkflowRow): Promise<string | null> {
  const owning = row.created_by_type === 'user' ? row.owner_id : null;
  for (const person of [row.assigned_to, owning]) if (person !== null && !(await isOutside(scope, row, person))) return person;
  const owner = await scope.db.first(ownerOfTeam, { team: scope.team });
  return owner && !(await isOutside(scope, row, owner.id)) ? owner.id : null;
}

const isOutside = async (scope: Scope, row: queries.WorkflowRow, person: string): Promise<boolean> =>
  row.barred && (await outsidersOf(scope, row.about_document_id, [person])).length > 0;

/**
 * Advances an active workflow until it needs a person: begins ready steps, completes automatic ones, and ends the workflow after its last step. The
 * caller must have locked the workflow. Updates `row` to the written values. `begins` names a step that begins without a check of its condition.
 */
export async function advance(
  scope: Scope,
  row: queries.WorkflowRow,
  changed: Iterable<string> = [],
  { begins }: { begins?: string } = {},
): Promise<void> {
  const fallback = await fallbackPerson(scope, row);
  const { startOf, ofRoles, ofGroups, time, mayAsk } = await pipelined({
    startOf: () => readConditions(scope, row),
    ofRoles: () => peopleOfRoles(scope, row),
    ofGroups: () => membersOfGroups(scope, row),
    mayAsk: () => endpointsToAsk(scope, row),
    time: async () =>
      row.steps.some(({ config }) => workingDaysOf(config) !== undefined || escalatesInWorkingDays(config))
        ? teamWorkingTime(scope)
        : undefined,
  });
  const turn: AdvanceContext = {
    changed: new Set(changed),
    tasks: [],
    notices: [],
    writes: [],
    signatures: [],
    rounds: [],
    fallback,
    time,
    mayAsk,
  };
  for (let ready = readySteps(row.steps); ready.length > 0; ready = readySteps(row.steps)) {
    for (const step of ready) {
      const start = step.id === begins ? 'begin' : startOf(step);
      const documents = start === 'begin' ? documentsFor(row, step) : 'present';
      if (start === 'skip' || documents === 'omitted') skip(scope, row, step, turn);
      else if (documents === 'missing') turn.writes.push(recordStepFailure(scope, row, step, 'document_missing'));
      else if (start === 'fail') turn.writes.push(recordStepFailure(scope, row, step, conditionInputMissing));
      else {
        storeStepAssignees(scope, row, step, ofRoles);
        settleGroups(scope, row, step, ofGroups);
        begin(scope, row, step, turn);
      }
    }
  }
  const tasks = await tasksByDocument(scope, row, turn.tasks);
  if (allDone(row.steps)) turn.writes.push(finish(scope, row, 'completed'));
  turn.writes.push(
    writeSteps(
      scope,
      row,
      row.steps.filter((step) => turn.changed.has(step.id)),
    ),
    ...tasks.map(({ given, document }) =>
      createTasks(scope, given, document, { barred: row.barred, someStandIn: row.some_stand_in, about: row.about_document_id }),
    ),
    sendNotices(scope, row, turn.notices),
  );
  await Promise.all(turn.writes);
  for (const step of turn.rounds) await beginApproval(scope, row, step);
  // One by one: a rejected request is rolled back without the rest of the transaction.
  for (const step of turn.signatures) await beginSigning(scope, row, step);
}

/** Returns the documents of a step in their current state, if they may still be shared. */
export async function documentsForStep(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<TaskDocument[]> {
  const shared: TaskDocument[] = [];
  for (const document of documentsOfStep(row, step)) {
    const found = await sharedDocument(scope, document);
    if (found) shared.push(found);
  }
  return shared;
}

/** Groups new tasks by the document of their step, in its current state. Most workflows have one document. */
async function tasksByDocument(scope: Scope, row: queries.WorkflowRow, tasks: readonly NewTask[]) {
  const groups: { given: NewTask[]; document: TaskDocument | undefined }[] = [];
  const documentOfTask = ({ step_id: id }: NewTask) => documentOfStep(row, row.steps.find((step) => step.id === id) ?? { config: {} });
  for (const document of row.documents) {
    const given = tasks.filter((task) => documentOfTask(task) === document);
    if (given.length > 0) groups.push({ given, document: await sharedDocument(scope, document) });
  }
  const rest = tasks.filter((task) => documentOfTask(task) === undefined);
  return rest.length === 0 ? groups : [...groups, { given: rest, document: undefined }];
}

function begin(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: AdvanceContext): void {
  step.status = 'active';
  step.started_at = scope.now.toISOString();
  turn.changed.add(step.id);
  turn.writes.push(record(scope, stepActivated, row.id, aboutStep(step), row.barred));
  const people = peopleOf(step, turn.fallback);
  if (step.type === 'notification') {
    turn.notices.push({ step, people: people.filter((person) => person !== null) });
    turn.writes.push(endStep(scope, row, step, { status: 'completed', outcome: 'notified' }));
  } else if (waitsForAnswer(step)) {
    if (askEndpoint(scope, row, step, turn)) return;
    turn.writes.push(recordStepFailure(scope, row, step, 'endpoint_not_usable'));
  } else if (asksRound(step)) {
    turn.rounds.push(step);
  } else if (asksToSign(step)) {
    turn.signatures.push(step);
  } else if (step.type === 'webhook') {
    // Endpoints get the begin and the end of the step as events. The step waits for nothing.
    turn.writes.push(endStep(scope, row, step, { status: 'completed', outcome: 'announced' }));
  } else if (step.type === 'wait') {
    step.wake_at = wakeTime(step.config, scope.now);
  } else if (step.type === 'agent' || makingOf(step) !== undefined) {
    // A listener of the event starts the agent, or makes the document or record.
    step.wake_at = timeoutOf(step.config, scope.now);
  } else {
    const due = dueOf(step, scope.now, turn.time);
    const tasks = [
      ...people.map((person) => taskFor(row, step, person, due, turn.time)),
      ...step.groups.map((group): NewTask => ({ ...taskFor(row, step, null, due, turn.time), vacant: false, assigned_group_id: group })),
    ];
    step.task_ids = [...step.task_ids, ...tasks.map(({ id }) => id)];
    turn.tasks.push(...tasks);
  }
}

/** Creates the signature request of a step. If the request is rejected, the step fails. */
async function beginSigning(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<void> {
  if (row.status !== 'active') return;
  const why = await askToSign(scope, row, step);
  if (why !== undefined) await recordStepFailure(scope, row, step, why.code, why.detail);
  else await writeSteps(scope, row, [step]);
}

/** Begins the approval round of a step. If it cannot begin, the step fails. */
async function beginApproval(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow): Promise<void> {
  if (row.status !== 'active') return;
  const failure = await askRound(scope, row, step, await documentsForStep(scope, row, step));
  if (failure) await recordStepFailure(scope, row, step, failure.code);
}

/** Skips a step whose condition is false, or whose documents a condition omitted. Its dependents continue. */
function skip(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: AdvanceContext): void {
  turn.changed.add(step.id);
  turn.writes.push(endStep(scope, row, step, { status: 'skipped', outcome: 'skipped' }));
}
