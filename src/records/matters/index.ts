import { domain as accounts } from '#accounts';
import { domain as access } from '#access';
import { domain as documents } from '#documents';
import { domain as folders } from '#folders';
import { domain as registries } from '#registries';
import { domain as signatures } from '#signatures';
import { domain as tasks } from '#tasks';
import { domain as teams, memberRemoved } from '#teams';
import { domain as workflows } from '#workflows';
import { domain as workingTime } from '#working-time';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { on } from '../../platform/journal/listeners.ts';
import { dueDeadlines } from './deadlines.ts';
import { releaseDeadlines } from './queries.ts';
import { matterRoutes } from './routes.ts';
import { matterTables } from './tables.ts';

const leaverListener = on(memberRemoved, async ({ db, team, now: at }, { targetId: user }) => {
  db.send(releaseDeadlines, { team, user, at });
});

/**
 * Matters: all folders, documents, work, forms and registries of one case, with its client, access, barrier and deadlines. The root folder of a matter
 * has its owner, shares and barrier. A closed matter is read-only.
 */
export const domain = defineDomain({
  name: 'matters',
  uses: { accounts, access, teams, 'working-time': workingTime, folders, documents, signatures, tasks, workflows, registries },
  tables: matterTables,
  description: () => import('./description.ts'),
  subscribes: { usual: [leaverListener] },
  open: ({ database, listeners }, { folders: { barrierJobDocuments } }) => ({
    exports: undefined,
    routes: (app) => matterRoutes(app, barrierJobDocuments),
    periodic: [
      {
        name: dueDeadlines.job,
        cron: '*/5 * * * *',
        run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, dueDeadlines, now),
      },
    ],
  }),
});
