import { domain as accounts } from '#accounts';
import { defineDomain } from '../platform/domain.ts';
import { invitationWaits } from './accept.ts';
import { invitationsMadeBy } from './custody.ts';
import { dropOldInvitations } from './jobs.ts';
import { purgeClosedTeams } from './purge-jobs.ts';
import { tellExceededQuotas } from './quota-notices.ts';
import { teamRoutes } from './routes.ts';
import { teamTables } from './tables.ts';

/**
 * Teams: name and time zone, the people in it with their roles, and invitations by mail. A person is in one team at a
 * time: who leaves or is removed goes on alone in a new one, and what was theirs here goes to a successor.
 */
export const domain = defineDomain({
  name: 'teams',
  uses: { accounts },
  tables: teamTables,
  description: () => import('./description.ts'),
  open({ database, storage, listeners, log, clock, onQuotaExceeded }, { accounts: people }) {
    people.askInvitations(invitationWaits);
    people.onLoss(invitationsMadeBy);
    const exceeded = tellExceededQuotas({ database, listeners, log, clock });
    onQuotaExceeded((team, quota) => exceeded.tell(team, quota));
    return {
      exports: undefined,
      routes: (app) => teamRoutes(app, people),
      periodic: [
        {
          name: 'team-purge',
          cron: '27 3 * * *',
          run: ({ now, isolation }) => purgeClosedTeams({ database, isolation, removeFile: (key) => storage.remove(key) }, now),
        },
        { name: 'invitation-drop', cron: '57 3 * * *', run: ({ now }) => dropOldInvitations(database, now) },
      ],
    };
  },
});

export { memberRemoved } from '#accounts';
export { changeQuotas, type QuotaChanges } from './quotas.ts';
