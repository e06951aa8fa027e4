import { randomUUIDv7 } from 'node:crypto';
import { documentReadableBy } from '#documents';
import { createTasks, type NewTask, type TaskDocument } from '#tasks';
import { activeMember, ownerOfTeam } from '#teams';
import { endOfWorkingDay, teamWorkingTime, type WorkingTime } from '#working-time';
import { together } from '../platform/database/together.ts';
import { record } from '../platform/journal/record.ts';
import type { Scope } from '../platform/scope.ts';
import { aboutStep } from './announce.ts';
import { endStep, finish, writeSteps } from './ending.ts';
import { stepActivated } from './events.ts';
import { type Notice, sendNotices } from './notices.ts';
import * as queries from './queries.ts';
import { peopleOfRoles, settleRoles } from './roles.ts';
import { readConditions } from './step-conditions.ts';
import { wakeTime, workingDaysOf } from './step-config.ts';
import { allDone, readySteps } from './steps.ts';

const dayMs = 86_400_000;

/** What a turn of the engine has changed, collected so that it is written in few statements. */
type Turn = {
  changed: Set<string>;
  tasks: NewTask[];
  notices: Notice[];
  writes: Promise<unknown>[];
  /** Who is given a step that names nobody. */
  fallback: string | null;
  /** When the team works; read where a step is due in working days. */
  time: WorkingTime | undefined;
};

/** Who is given steps that name nobody: whom the workflow is given to, or the person who made it and is here still, or the team's owner. */
async function fallbackPerson(scope: Scope, row: queries.WorkflowRow): Promise<string | null> {
  if (row.assigned_to !== null) return row.assigned_to;
  if (row.created_by_type === 'user' && !row.maker_left) return row.created_by;
  return (await scope.db.first(ownerOfTeam, { team: scope.team }))?.id ?? null;
}

/**
 * Moves an active workflow on as far as it goes without a person: begins what is ready, completes what completes by
 * itself, ends the workflow when all is done. The caller holds the workflow's lock. `row` is changed to what is written.
 */
export async function advance(scope: Scope, row: queries.WorkflowRow, changed: Iterable<string> = []): Promise<void> {
  const fallback = await fallbackPerson(scope, row);
  const { meets, ofRoles, time } = await together({
    meets: () => readConditions(scope, row),
    ofRoles: () => peopleOfRoles(scope, row),
    time: async () => (row.steps.some(({ config }) => workingDaysOf(config) !== undefined) ? teamWorkingTime(scope) : undefined),
  });
  const turn: Turn = { changed: new Set(changed), tasks: [], notices: [], writes: [], fallback, time };
  for (let ready = readySteps(row.steps); ready.length > 0; ready = readySteps(row.steps)) {
    for (const step of ready) {
      if (!meets(step)) skip(scope, row, step, turn);
      else {
        settleRoles(scope, row, step, ofRoles);
        begin(scope, row, step, turn);
      }
    }
  }
  const document = turn.tasks.length === 0 ? undefined : await documentOf(scope, row);
  if (allDone(row.steps)) turn.writes.push(finish(scope, row, 'completed'));
  turn.writes.push(
    writeSteps(
      scope,
      row,
      row.steps.filter((step) => turn.changed.has(step.id)),
    ),
    createTasks(scope, turn.tasks, document, row.walled),
    sendNotices(scope, row, turn.notices),
  );
  await Promise.all(turn.writes);
}

/** The document as it is now, if who put it into the workflow may let others read it still: what a task opens is theirs to open. */
export async function documentOf(scope: Scope, row: queries.WorkflowRow): Promise<TaskDocument | undefined> {
  if (row.linked_document_id === null || row.linked_by === null) return undefined;
  const referred = await documentReadableBy(scope, row.linked_by, row.linked_document_id);
  return referred?.gives && { referred, linkedBy: row.linked_by };
}

function begin(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: Turn): void {
  step.status = 'active';
  step.started_at = scope.now.toISOString();
  turn.changed.add(step.id);
  turn.writes.push(record(scope, stepActivated, row.id, aboutStep(step), row.walled));
  const people = peopleOf(step, turn.fallback);
  if (step.type === 'notification') {
    turn.notices.push({ step, people: people.filter((person) => person !== null) });
    turn.writes.push(endStep(scope, row, step, { status: 'completed', outcome: 'notified' }));
  } else if (step.type === 'webhook') {
    // Endpoints hear that the step began and ended; there is nothing else to do or to wait for.
    turn.writes.push(endStep(scope, row, step, { status: 'completed', outcome: 'announced' }));
  } else if (step.type === 'wait') {
    step.wake_at = wakeTime(step.config, scope.now);
  } else if (step.type !== 'agent') {
    // What an agent does is begun by whoever hears that its step has.
    const due = dueOf(step, scope.now, turn.time);
    const tasks = people.map((person) => taskFor(row, step, person, due));
    step.task_ids = [...step.task_ids, ...tasks.map(({ id }) => id)];
    turn.tasks.push(...tasks);
  }
}

/** A step whose condition does not hold is not begun: what follows goes on. */
function skip(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, turn: Turn): void {
  turn.changed.add(step.id);
  turn.writes.push(endStep(scope, row, step, { status: 'skipped', outcome: 'skipped' }));
}

/** An agent has not done its step: what becomes of it is asked of whoever made the workflow, where they run the team, or of its owner. */
export async function askAdministrator(scope: Scope, row: queries.WorkflowRow, step: queries.StepRow, why: string): Promise<void> {
  const { db, team, now } = scope;
  const maker = row.created_by_type === 'user' && !row.maker_left ? await db.first(activeMember, { team, id: row.created_by }) : undefined;
  const runs = maker?.role === 'owner' || maker?.role === 'admin';
  const person = runs ? row.created_by : ((await db.first(ownerOfTeam, { team }))?.id ?? null);
  const task = taskFor(row, step, person, dueOf(step, now, undefined));
  const description = `An agent was to do this and has not: ${why}. \`again\` has it try once more, with \`skip\` the workflow goes on without it, with \`fail\` it ends as rejected.`;
  await createTasks(scope, [{ ...task, type: 'agent_attention', description, config: {} }], undefined, row.walled);
}

/** Whom a step is given to: its people, or the one who is given what names nobody; a decision that is vacant to nobody. */
function peopleOf({ assignees, vacant }: queries.StepRow, fallback: string | null): (string | null)[] {
  if (vacant) return [...assignees, null];
  return assignees.length > 0 ? assignees : [fallback];
}

/** When the tasks of a step are due that begins now: the days are fixed then, whatever the team's working time becomes. */
function dueOf(step: queries.StepRow, now: Date, time: WorkingTime | undefined): Date | null {
  const days = workingDaysOf(step.config);
  // Where no working day is left, days of the week count.
  if (days !== undefined) return (time && endOfWorkingDay(time, now, days)) ?? new Date(now.getTime() + days * dayMs);
  return step.due_in_days === null ? null : new Date(now.getTime() + step.due_in_days * dayMs);
}

function taskFor(row: queries.WorkflowRow, step: queries.StepRow, person: string | null, due: Date | null): NewTask {
  return {
    id: randomUUIDv7(),
    title: step.name ?? `${row.name}: ${step.id}`,
    description: step.description,
    type: step.type,
    assigned_to: person,
    created_by: row.created_by,
    created_by_type: row.created_by_type,
    workflow_id: row.id,
    step_id: step.id,
    document_id: row.document_id,
    due_at: due === null ? null : due.toISOString(),
    config: step.config,
  };
}
