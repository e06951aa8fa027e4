import { randomUUIDv7 } from 'node:crypto';
import { insideOf } from '#access';
import { createTasks, dueTime } from '#tasks';
import { lockMember } from '#teams';
import { daysBefore, teamWorkingTime } from '#working-time';
import type { DueWork } from '../../platform/jobs/due-jobs.ts';
import { isUuid, notFound, pathId } from '../../platform/identifiers.ts';
import { record, recordAudit } from '../../platform/journal/record.ts';
import { problems } from '../../platform/problems.ts';
import type { ReadScope, Scope } from '../../platform/scope.ts';
import { cleanTitle } from '../../platform/text.ts';
import type { VersionCheck, Versioned } from '../../platform/versioned.ts';
import { type AccessibleMatter, isBarred, readableMatter, requireRight } from './access.ts';
import { deadlineCreated, deadlineDeleted, deadlineDue, deadlineFailed, deadlineUpdated } from './events.ts';
import { presentDeadline } from './present.ts';
import { matterProblems } from './problems.ts';
import * as queries from './queries.ts';
import type { Deadline, DeadlineBody, DeadlinePatch } from './schemas.ts';
import { lockedMatter, requireOpen } from './service.ts';

const [usualDays, maxDeadlines] = [5, 500];

/** Returns a page of the deadlines of a matter, in the order of their creation. Errors: 404. */
export async function listDeadlines(scope: ReadScope, id: string, page: { after: string; limit: number }): Promise<Deadline[]> {
  const { root } = await readableMatter(scope, id);
  return (await scope.db.all(queries.listDeadlines, { team: scope.team, matter: root.id, ...page })).map(presentDeadline);
}

/** Returns a deadline. Errors: 404. */
export async function getDeadline(scope: ReadScope | Scope, id: string, deadlineId: string): Promise<Versioned<Deadline>> {
  const { root } = await readableMatter(scope, id);
  const row = await deadlineOf(scope, root.id, deadlineId);
  return { value: presentDeadline(row), version: row.version };
}

/** Adds a deadline to a matter. Errors: 400, 403, 404 `member_not_found`, 409 `matter_closed`, `deadline_limit`. */
export async function createDeadline(scope: Scope, id: string, input: DeadlineBody): Promise<Versioned<Deadline>> {
  const { db, team, actor, now: at } = scope;
  if (actor.type === 'system') throw new Error('a deadline needs a creator');
  const found = await changeable(scope, id);
  const { root, access } = found;
  const count = await db.first(queries.countDeadlines, { team, matter: root.id });
  if ((count?.deadlines ?? 0) >= maxDeadlines)
    throw matterProblems.deadline_limit(`A matter has at most ${maxDeadlines} deadlines. Delete some that are over.`);
  const members = await membersOf(scope, { source: null, assigneeId: null, remindDays: usualDays, ...input });
  const deadline = randomUUIDv7();
  db.send(queries.insertDeadline, { team, id: deadline, matter: root.id, ...members, by: actor.id, byType: actor.type, at });
  const said = { deadlineId: deadline, title: members.title, ...access.byRole('edit') };
  await recordAudit(scope, deadlineCreated, root.id, said, isBarred(found));
  return getDeadline(scope, root.id, deadline);
}

/** Changes the given members. A new date makes a new task when it comes. Errors: as for creation, and 412. */
export async function updateDeadline(
  scope: Scope,
  id: string,
  deadlineId: string,
  input: DeadlinePatch,
  expect: VersionCheck,
): Promise<Versioned<Deadline>> {
  const { db, team, now: at } = scope;
  const found = await changeable(scope, id);
  const { root, access } = found;
  const row = await lockedDeadline(scope, root.id, deadlineId);
  expect(row.version);
  const kept = { title: row.title, dueDate: row.due_at, source: row.source, assigneeId: row.assignee_id, remindDays: row.remind_days };
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as DeadlinePatch;
  const members = await membersOf(scope, { ...kept, ...given });
  const moved = members.dueAt !== row.due_at || members.remindDays !== row.remind_days;
  db.send(queries.updateDeadline, { team, id: row.id, ...members, remindAt: moved ? members.remindAt : asDate(row.remind_at), at });
  await recordAudit(
    scope,
    deadlineUpdated,
    root.id,
    { deadlineId: row.id, title: members.title, ...access.byRole('edit') },
    isBarred(found),
  );
  return getDeadline(scope, root.id, row.id);
}

/** Deletes a deadline. Its task stays. Errors: 403, 404, 409 `matter_closed`, 412. */
export async function deleteDeadline(scope: Scope, id: string, deadlineId: string, expect: VersionCheck): Promise<void> {
  const found = await changeable(scope, id);
  const row = await lockedDeadline(scope, found.root.id, deadlineId);
  expect(row.version);
  scope.db.send(queries.deleteDeadline, { team: scope.team, id: row.id });
  const said = { deadlineId: row.id, title: row.title, ...found.access.byRole('edit') };
  await recordAudit(scope, deadlineDeleted, found.root.id, said, isBarred(found));
}

/** Creates one task for each deadline, the given working days before its date. Two nodes that run it create one. */
export const dueDeadlines: DueWork = {
  job: queries.deadlineJob,
  due: queries.dueDeadlines,
  async run(scope, { id }) {
    const { db, team, now } = scope;
    const locked = await db.first(queries.lockDeadline, { team, id });
    if (!locked || locked.remind_at === null || Date.parse(locked.remind_at) > now.getTime()) return;
    const row = await deadlineOf(scope, locked.matter_id, id);
    const found = await readableMatter(scope, locked.matter_id);
    if (found.matter.status === 'closed') return;
    const task = randomUUIDv7();
    const barred = isBarred(found);
    const assignee = await assigneeInside(scope, found.root, row.assignee_id);
    await createTasks(
      scope,
      [
        {
          id: task,
          title: row.title,
          description: row.source,
          type: 'task',
          assigned_to: assignee ?? null,
          // Owner and administrators are notified.
          vacant: assignee === undefined,
          created_by: row.created_by,
          created_by_type: row.created_by_type,
          owner_id: found.root.user_id,
          workflow_id: null,
          step_id: null,
          document_id: null,
          container_id: found.root.id,
          due_at: row.due_at,
          config: {},
        },
      ],
      undefined,
      { about: found.root.id, barred },
    );
    db.send(queries.noteTask, { team, id, task, at: now });
    await record(scope, deadlineDue, found.root.id, { deadlineId: id, title: row.title, dueDate: row.due_at, taskId: task }, barred);
  },
  setAside: { act: deadlineFailed, target: ({ id }) => id },
};

/** Returns the assignee of a new task: the given person or the responsible person; undefined if a barrier of the matter excludes both. */
async function assigneeInside({ db, team }: Scope, root: AccessibleMatter['root'], given: string | null): Promise<string | undefined> {
  const wanted = [...(given === null ? [] : [given]), root.user_id];
  const found = await db.all(insideOf, { team, container: root.id, users: wanted, when: 'permanently' });
  return wanted.find((user) => found.some(({ id }) => id === user));
}

async function changeable(scope: Scope, id: string) {
  const found = await lockedMatter(scope, id);
  requireRight(found, 'edit');
  requireOpen(found.matter);
  return found;
}

async function deadlineOf({ db, team }: Pick<ReadScope, 'db' | 'team'> | Pick<Scope, 'db' | 'team'>, matter: string, id: string) {
  const row = await db.first(queries.findDeadline, { team, id: pathId(id, 'deadline'), matter });
  if (!row) throw notFound('deadline');
  return row;
}

const lockedDeadline = (scope: Scope, matter: string, id: string) =>
  scope.db.locked(queries.lockDeadline, { team: scope.team, id: pathId(id, 'deadline') }, () => deadlineOf(scope, matter, id));

type DeadlineInput = { title: string; dueDate: string; source: string | null; assigneeId: string | null; remindDays: number };

async function membersOf(scope: Scope, { title, dueDate, source, assigneeId, remindDays }: DeadlineInput) {
  const dueAt = await dueTime(scope, dueDate);
  const day = Temporal.Instant.from(dueAt);
  return {
    title: cleanTitle(title, 'title'),
    dueAt,
    source,
    assignee: assigneeId === null ? null : await assigneeNamed(scope, assigneeId),
    remindDays,
    remindAt: daysBefore(await teamWorkingTime(scope), day, remindDays),
  };
}

async function assigneeNamed({ db, team }: Scope, id: string): Promise<string> {
  const found = isUuid(id) ? await db.first(lockMember, { team, id: id.toLowerCase() }) : undefined;
  // An auditor has no tasks.
  if (!found || found.role === 'auditor')
    throw problems.member_not_found(
      '`assigneeId` must name an active member of your team, who is not an auditor. List the members and check the identifier.',
    );
  return found.id;
}

const asDate = (time: string | null) => (time === null ? null : new Date(time));
