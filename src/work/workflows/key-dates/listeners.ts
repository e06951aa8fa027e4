import { dateNear, datesChanged } from '#documents';
import { enqueue } from '../../../platform/jobs/job.ts';
import { type EventListener, on } from '../../../platform/journal/listeners.ts';
import { getTemplate, stateOfTemplate } from '../template-service.ts';
import * as queries from './queries.ts';
import { dateWorkflowJob } from './start.ts';

export const dateListeners: readonly EventListener[] = [
  // Whoever names a template has to name one that there is: 404 `template_not_found` undoes the change of the dates.
  on(datesChanged, async (scope, { targetId: document, data: { startsTemplate: template } }) => {
    const { db, team, actor, now: at } = scope;
    if (template === undefined) {
      db.send(queries.dropTemplate, { team, document });
      return;
    }
    if (actor.type === 'system') throw new Error('a template is named by somebody');
    await getTemplate(scope, template);
    const state = await stateOfTemplate(scope, template);
    db.send(queries.keepTemplate, { team, document, template, hash: state?.hash ?? null, by: actor.id, at });
  }),
  // In a transaction of its own: people, whom a workflow gives tasks to, are locked before the document that is held here.
  on(dateNear, async ({ db, team }, { targetId: document, data: { startsTemplate, kind, date } }) => {
    if (startsTemplate !== undefined) enqueue({ db, team }, dateWorkflowJob, { document, kind, date });
  }),
];
