import { randomUUIDv7 } from 'node:crypto';
import { endGrantsOfTask, grantForTask, type ReferredDocument } from '#documents';
import { record } from '../../platform/journal/record.ts';
import type { Scope } from '../../platform/scope.ts';
import { taskCreated } from './events.ts';
import { asksOwnPerson, isDecision, onNewVersionOf, outcomesOf } from './kinds.ts';
import { taskPath } from './mails.ts';
import { taskEventData } from './present.ts';
import { notifyAssigned } from './notify.ts';
import { notifyGroups } from './notify-groups.ts';
import * as queries from './queries.ts';
import * as inserts from './insert-queries.ts';
import { escalating } from './escalation/levels.ts';
import { delegateFor, findDelegates, type MayHave } from './delegations/index.ts';
import { outsidersOf } from './barrier.ts';
import { notifyUnassigned } from './notify-unassigned.ts';
import { pipelined } from '../../platform/database/pipelined.ts';

/** A task to create, from a person or a step of a workflow. */
export type NewTask = Omit<inserts.InsertedTask, inserts.Derived | 'assigned_group_id' | 'approval_round_id'> & {
  /** The group of which one member claims the task. */
  assigned_group_id?: string;
  /** The approval round of which the task is a vote. */
  approval_round_id?: string;
  /** No member can do the task of a step. */
  vacant?: boolean;
  /** The settings of the step for outcomes and new versions. The type of the task gives the defaults. */
  config: Record<string, unknown>;
  /** The escalation levels for an overdue task. */
  escalation?: readonly inserts.EscalationLevel[];
};

/**
 * The document of tasks, with the access that the member who linked it has now. The member `linkedBy` grants the access to assignees, if that member
 * may share the document.
 */
export type TaskDocument = { referred: ReferredDocument; linkedBy: string };

/**
 * Facts about new tasks that the caller already knows.
 *
 * - `barred`: whether their document is behind a barrier. Default: as `document` says.
 * - `someStandIn`: whether the team has a delegation.
 * - `about`: the document of their workflow, even if it can no longer be shared.
 * - `further`: the documents of votes after the first, which assignees can read too.
 * - `admits`: whether a person may have such a task. Their assignees do.
 */
type Known = {
  barred?: boolean;
  someStandIn?: boolean;
  about?: string | null;
  further?: readonly TaskDocument[];
  admits?: MayHave | undefined;
};

/**
 * Inserts tasks and records each of them in the journal. Tasks of absent members go to their delegates, if those may do them. With a document of the
 * team, tasks store its version, and their assignees can read it while the task is open. If the barrier around the document excludes an assignee, the
 * task has none. Members
 * who can claim a task of their group are notified; without any, owner and administrators are.
 */
export async function createTasks(
  scope: Scope,
  given: readonly NewTask[],
  document: TaskDocument | undefined,
  { barred = document?.referred.barred ?? false, someStandIn, about = document?.referred.id ?? null, further = [], admits }: Known = {},
): Promise<void> {
  if (given.length === 0) return;
  const tasks = barred ? await withoutOutsiders(scope, given, about) : given;
  const absent = await findDelegates(scope, tasks, { document, about }, { some: someStandIn, admits });
  const rounds = new Map(tasks.map(({ step_id: step }) => [step, step === null ? null : randomUUIDv7()]));
  const vacant = new Set(tasks.flatMap((task) => (task.vacant ? [task.id] : [])));
  const rows = tasks.map(
    ({
      config,
      escalation = [],
      assigned_group_id: group = null,
      approval_round_id: approval = null,
      vacant: _vacant,
      ...task
    }): inserts.InsertedTask => ({
      ...task,
      assigned_group_id: group,
      ...delegateFor(task, absent),
      ...escalating(task.due_at, escalation),
      round_id: approval ?? rounds.get(task.step_id) ?? null,
      approval_round_id: approval,
      linked_document_id: document?.referred.id ?? null,
      linked_by: document?.referred.gives === undefined ? null : document.linkedBy,
      about_document_id: about,
      document_version: document?.referred.version ?? null,
      document_sha256: document?.referred.sha256 ?? null,
      on_new_version: onNewVersionOf(task.type, config.onNewVersion),
      outcomes: outcomesOf(task.type, config),
    }),
  );
  inserts.sendTasks(scope.db, { team: scope.team, at: scope.now }, rows);
  await pipelined([
    ...rows.map((task) => () => record(scope, taskCreated, task.id, taskEventData(task), barred)),
    () =>
      notifyUnassigned(
        scope,
        rows
          .filter((task) => task.assigned_to === null && (vacant.has(task.id) || mustBeAssigned(task, barred)))
          .map((task) => ({ ...task, barred })),
      ),
    ...rows.flatMap((task) => [document, ...further].map((one) => () => openDocument(scope, task, one))),
    () =>
      notifyGroups(
        scope,
        rows.filter((task) => task.assigned_group_id !== null).map((task) => ({ ...task, barred })),
      ),
    () =>
      notifyAssigned(
        scope,
        rows.map((task) => ({ ...task, byClient: asksOwnPerson(task) })),
      ),
  ]);
}

/** Whether a task must not stay without an assignee: a decision, or a task of a workflow whose assignees a barrier may exclude. */
const mustBeAssigned = ({ type, workflow_id: workflow, assigned_group_id: group }: inserts.InsertedTask, barred: boolean) =>
  group === null && (isDecision(type) || (barred && workflow !== null));

/** Unassigns a task if the barrier around the document excludes its assignee. */
async function withoutOutsiders(scope: Scope, tasks: readonly NewTask[], document: string | null): Promise<readonly NewTask[]> {
  const people = tasks.flatMap(({ assigned_to: person }) => (person === null ? [] : [person]));
  const outside = new Set((await outsidersOf(scope, document, people)).map(({ id }) => id));
  return tasks.map((task) => (outside.has(task.assigned_to ?? '') ? { ...task, assigned_to: null } : task));
}

/**
 * Grants the assignee or the group read access to the document of a task, if the member who linked it may share it. The owner of the document needs no
 * grant.
 */
export async function openDocument(
  scope: Scope,
  { id: taskId, assigned_to: user, assigned_group_id: group }: Pick<inserts.InsertedTask, 'id' | 'assigned_to' | 'assigned_group_id'>,
  document: TaskDocument | undefined,
): Promise<void> {
  const to = group !== null ? { groupId: group } : user !== null && user !== document?.referred.userId ? { userId: user } : undefined;
  if (document?.referred.gives === undefined || to === undefined) return;
  await grantForTask(scope, { documentId: document.referred.id, ...to, taskId, grantorId: document.linkedBy });
}

/** Locks these questions about tool calls, cancels the open ones, and returns them. */
export async function withdrawTasks(scope: Scope, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const withdrawn = (await scope.db.all(queries.withdrawTasks, { team: scope.team, ids, at: scope.now })).map(({ id }) => id);
  await endGrantsOfTask(scope, withdrawn);
  return withdrawn;
}

/** Cancels open tasks outside of workflows for another domain, which has checked the permission, and ends their grants. */
export async function cancelGivenTasks(scope: Scope, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const cancelled = await scope.db.all(queries.cancelGivenTasks, { team: scope.team, ids, at: scope.now });
  await endGrantsOfTask(
    scope,
    cancelled.map(({ id }) => id),
  );
}

/** Cancels the open tasks of a workflow, or of some of its steps, and ends their grants. */
export async function cancelTasks(
  scope: Scope,
  workflow: string,
  options: { steps?: readonly string[]; reason?: 'document_changed' } = {},
): Promise<void> {
  const cancelled = await scope.db.all(queries.cancelTasks, {
    team: scope.team,
    workflow,
    steps: options.steps ?? null,
    reason: options.reason ?? null,
    at: scope.now,
  });
  await endGrantsOfTask(
    scope,
    cancelled.map(({ id }) => id),
  );
}

/** Cancels the open votes of an approval round, which the caller has locked, and ends their grants. */
export async function cancelVotes(
  scope: Scope,
  round: string,
  reason: 'document_changed' | 'round_decided' | 'round_voided' | 'round_expired',
): Promise<void> {
  const cancelled = await scope.db.all(queries.cancelVotes, { team: scope.team, round, reason, at: scope.now });
  await endGrantsOfTask(
    scope,
    cancelled.map(({ id }) => id),
  );
}

/** The URL of the page of a task. */
export const taskLink = (baseUrl: string, id: string): string => `${baseUrl}${taskPath(id)}`;
