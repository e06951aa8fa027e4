import type { OpenAccounts } from '#accounts';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { invitationWaits } from './accept.ts';
import { invitationsMadeBy } from './compromised-account.ts';
import { dropOldInvitations } from './jobs.ts';
import { purgeClosedTeams } from './purge-jobs.ts';
import { teamInUse } from './queries.ts';
import { notifyExceededQuotas } from './quota-notices.ts';
import { teamRoutes } from './routes.ts';

export function open(
  { database, storage, tables, listeners, log, clock, onQuotaExceeded }: Platform,
  { accounts }: { accounts: OpenAccounts },
): OpenedDomain<undefined> {
  accounts.askInvitations(invitationWaits);
  accounts.onLoss(invitationsMadeBy);
  const exceeded = notifyExceededQuotas({ database, listeners, log, clock });
  onQuotaExceeded((team, quota) => exceeded.notify(team, quota));
  const teams = { ...accounts, inUse: teamInUse(tables) };
  return {
    exports: undefined,
    routes: (app) => teamRoutes(app, teams),
    periodic: [
      {
        name: 'team-purge',
        cron: '27 3 * * *',
        run: ({ now, isolation }) => purgeClosedTeams({ database, storage, isolation, tables }, now),
      },
      { name: 'invitation-drop', cron: '57 3 * * *', run: ({ now }) => dropOldInvitations(database, now) },
    ],
  };
}
