import { Type } from 'typebox';
import { assigneeOfTask } from '#tasks';
import { issuingTeam, taskMailContacts } from '#teams';
import { defineJob, enqueue, type JobAttempt } from '../../../platform/jobs/job.ts';
import { queueMail } from '../../../platform/mail/queue.ts';
import type { Scope } from '../../../platform/scope.ts';
import { inTeamAsSystem, type SystemDependencies } from '../../../platform/system-scope.ts';
import { brandOfTeam, mailBrandOf } from '../branding/index.ts';
import type { Interfaces } from '../links.ts';
import * as queries from './queries.ts';
import { issueTaskLink } from './service.ts';
import { taskFormMail } from './words.ts';

type Mailing = SystemDependencies & { interfaces: Interfaces };

/** Mails the form link of a task to its assignee, unless the assignee disabled task mails. A retry sends the same link. */
export const taskFormMailJob = defineJob(
  'task-form-mail',
  Type.Object({ task: Type.String() }),
  { counted: false },
  async ({ interfaces, ...deps }: Mailing, { task }, { team }: JobAttempt) => {
    if (team === undefined) return;
    const reader = deps.database.reader(team);
    const issuer = await reader.first(issuingTeam, { team });
    if (!issuer) return;
    const look = mailBrandOf(interfaces.baseUrl, await brandOfTeam(reader, team, issuer.name));
    await inTeamAsSystem(deps, team, 'task-form-mail', async (scope) => {
      const { db } = scope;
      const link = await issueTaskLink(interfaces, scope, task);
      if (typeof link === 'string') return;
      const assignment = await db.first(assigneeOfTask, { team, id: task });
      const [person] = assignment?.assigned_to ? await db.all(taskMailContacts, { team, ids: [assignment.assigned_to] }) : [];
      const form = await db.first(queries.formOfTask, { team, id: link.interfaceId });
      if (!person || !form) return;
      const mail = taskFormMail(person.locale, { title: form.title, url: link.url }, look);
      await queueMail(db, { ...mail, to: person.email, team, budgeted: true, lowPriority: true });
    });
  },
);

/** Enqueues the mail with the form link of a task. The job runs after the commit. */
export function mailTaskForm(scope: Pick<Scope, 'db' | 'team'>, task: string): void {
  enqueue(scope, taskFormMailJob, { task });
}
