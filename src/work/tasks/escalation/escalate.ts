import { managerContacts, memberContact, taskMailContacts } from '#teams';
import { record, recordAudit } from '../../../platform/journal/record.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { taskAssigned, taskEscalated } from '../events.ts';
import { loadTaskForUpdate } from '../lookup.ts';
import { insidersOf } from '../barrier.ts';
import { escalatedMail, reassignedMail } from '../mails.ts';
import { addressed } from '../notify.ts';
import { taskEventData } from '../present.ts';
import type { EscalationLevel } from '../insert-queries.ts';
import type { SeenTask } from '../queries.ts';
import { handOver } from '../reassign.ts';
import { timeOf } from './levels.ts';
import * as queries from './queries.ts';

/**
 * Escalates an overdue task to the targets of the level that it reached. If the level reassigns the task and a target may do it, assigns it to that
 * target. Otherwise notifies the targets. After a downtime only the last reached level applies.
 */
export async function escalate(scope: Scope, id: string): Promise<void> {
  const { db, team, now } = scope;
  const task = await loadTaskForUpdate(scope, id);
  const row = await db.first(queries.reachedLevels, { team, id, now });
  if (!row) return;
  const { due_at: due, escalation: levels } = row;
  const reached = levels.findLastIndex((level) => Date.parse(due) + level.after <= now.getTime());
  const level = levels[reached];
  if (level === undefined || reached < row.escalated) return;
  db.send(queries.storeLevel, { team, id, escalated: reached + 1, next: timeOf(due, levels[reached + 1]) });
  const meant = meantBy(level);
  const given = level.reassign ? await assignToEscalationTarget(scope, task, meant) : undefined;
  const from = given === undefined ? null : task.assigned_to;
  await recordAudit(scope, taskEscalated, id, {
    level: reached + 1,
    to: level.to,
    ...(given === undefined ? {} : { assignedTo: given }),
    ...(from === null ? {} : { assignedFrom: from }),
  });
  if (given === undefined) await notifyTargets(scope, task, meant);
}

const role = 'role:';
const meantBy = ({ to }: EscalationLevel) => (to.startsWith(role) ? { user: null, role: to.slice(role.length) } : { user: to, role: null });
type Meant = ReturnType<typeof meantBy>;

/** Assigns the task to one of the targets. Returns the new assignee, or `undefined` if none of the targets may do the task. */
async function assignToEscalationTarget(scope: Scope, task: SeenTask, meant: Meant): Promise<string | undefined> {
  const { db, team, now } = scope;
  const given = await db.first(queries.assignToEscalationTarget, { team, id: task.id, ...meant, now });
  const to = given?.assigned_to ?? undefined;
  if (!given || to === undefined) return undefined;
  const from = task.assigned_to;
  const changes = { assignedTo: { ...(from === null ? {} : { from }), to } };
  await record(
    scope,
    taskAssigned,
    task.id,
    { ...taskEventData(given), ...(from === null ? {} : { assignedFrom: from }), changes },
    given.barred,
  );
  await handOver(scope, given);
  const before = from === null ? undefined : await db.first(memberContact, { team, id: from });
  if (from === null || !before || !(await insidersOf(scope, [task], [from]))(task, from)) return to;
  const mail = reassignedMail(before.locale, task.title, undefined);
  await queueMail(db, { to: before.email, team, budgeted: true, lowPriority: true, ...mail });
  return to;
}

/** Notifies the targets, or owner and administrators if no target is a member any longer. People excluded by the barrier get no mail. */
async function notifyTargets(scope: Scope, task: SeenTask, meant: Meant): Promise<void> {
  const { db, team } = scope;
  const mailData = { named: [task], count: 1 };
  const found = (await db.all(queries.escalationTargets, { team, ...meant })).map(({ id }) => id).filter((id) => id !== task.assigned_to);
  const managers = await db.all(managerContacts, { team });
  const inside = await insidersOf(scope, [task], [...found, ...managers.map(({ id }) => id)]);
  const ids = found.filter((id) => inside(task, id));
  if (ids.length === 0) {
    for (const { email, locale } of managers.filter(({ id }) => inside(task, id)))
      await queueMail(db, { ...escalatedMail(locale, mailData), to: email, team, budgeted: true, lowPriority: true });
    return;
  }
  for (const reader of await db.all(taskMailContacts, { team, ids }))
    await queueMail(db, { ...escalatedMail(reader.locale, mailData), ...addressed(scope, reader) });
}
