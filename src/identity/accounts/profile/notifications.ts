import { recordAudit } from '../../../platform/journal/record.ts';
import { notFound } from '../../../platform/identifiers.ts';
import type { ReadScope, Scope } from '../../../platform/scope.ts';
import { profileUpdated } from '../events.ts';
import * as queries from '../queries.ts';
import type { Notifications } from '../schemas.ts';

/** Returns the caller’s mail settings. */
export async function getNotifications(scope: ReadScope | Scope, id: string): Promise<Notifications> {
  const row = await scope.db.first(queries.notificationsOf, { team: scope.team, id });
  if (!row) throw notFound('account');
  return { taskAssigned: row.task_mails };
}

export async function updateNotifications(scope: Scope, id: string, input: Notifications): Promise<Notifications> {
  scope.db.send(queries.updateNotifications, { team: scope.team, id, taskMails: input.taskAssigned, at: scope.now });
  await recordAudit(scope, profileUpdated, id, { members: ['notifications'] });
  return getNotifications(scope, id);
}
