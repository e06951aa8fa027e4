import { dateNear, datesChanged } from '#documents';
import { enqueue } from '../../../platform/jobs/job.ts';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { getTemplate, stateOfTemplate } from '../template-service.ts';
import * as queries from './queries.ts';
import { dateWorkflowJob } from './start.ts';

export const dateListeners: readonly EventListener[] = [
  // The template must exist: 404 `template_not_found` rolls back the change of the dates.
  on(datesChanged, async (scope, { targetId: document, data: { startsTemplate: template } }) => {
    const { db, team, actor, now: at } = scope;
    if (template === undefined) {
      db.send(queries.dropTemplate, { team, document });
      return;
    }
    if (actor.type === 'system') throw new Error('only a user or a program sets the template of a key date');
    await getTemplate(scope, template);
    const state = await stateOfTemplate(scope, template);
    db.send(queries.keepTemplate, { team, document, template, hash: state?.hash ?? null, by: actor.id, at });
  }),
  // In a separate transaction: a workflow locks its assignees before the document, and the document is already locked here.
  on(dateNear, async ({ db, team }, { targetId: document, data: { startsTemplate, kind, date } }) => {
    if (startsTemplate !== undefined) enqueue({ db, team }, dateWorkflowJob, { document, kind, date });
  }),
];
