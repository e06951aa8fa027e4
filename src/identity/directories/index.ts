import { domain as access } from '#access';
import { domain as accounts } from '#accounts';
import { domain as sso } from '#sso';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import { openJob } from '../../platform/jobs/job.ts';
import { openDirectories } from './context.ts';
import { dropOldLog, remindOfTokens, removals, restoreJob, suspendJob, tokenReminder } from './jobs.ts';
import { joinsGroupsAgain, linksJoined, notesReactivation, notesSuspension, withdrawsRemoved } from './listeners.ts';
import { lookup } from './lookup.ts';
import { directoryRoutes } from './routes.ts';
import { scimRoutes } from './scim/index.ts';
import { directoryTables } from './tables.ts';
import { verifyToken } from './tokens.ts';

/**
 * Directories: the identity systems of a team (Entra ID, Okta and others), which create, change, suspend and remove its members and groups over SCIM
 * 2.0. The domain of accounts keeps persons and memberships, that of access the groups.
 */
export const domain = defineDomain({
  name: 'directories',
  uses: { accounts, teams, sso, access },
  tables: directoryTables,
  description: () => import('./description.ts'),
  subscribes: { usual: [linksJoined, joinsGroupsAgain, withdrawsRemoved, notesSuspension, notesReactivation] },
  open({ database, listeners, clock }, { accounts: people }) {
    people.askDirectories(lookup);
    const dirs = openDirectories({ accounts: people, database, listeners, clock });
    const work = removals(dirs);
    return {
      exports: undefined,
      routes: (app) => {
        directoryRoutes(app, dirs);
        scimRoutes(app, dirs);
      },
      verifies: { audience: 'scim', verify: (token) => verifyToken(database, token) },
      jobs: [openJob(restoreJob, dirs), openJob(suspendJob, dirs)],
      periodic: [
        { name: work.job, cron: '17 * * * *', run: ({ now, isolation }) => doDueWork({ database, listeners, isolation }, work, now) },
        { name: tokenReminder, cron: '37 5 * * *', run: ({ isolation }) => remindOfTokens(dirs, isolation) },
        { name: 'directory-log-drop', cron: '47 2 * * *', run: ({ now }) => dropOldLog(database, now) },
      ],
    };
  },
});
