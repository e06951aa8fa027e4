import type { OpenAccounts } from '#accounts';
import type { OpenedDomain, Platform } from '../../platform/domain.ts';
import { doDueWork } from '../../platform/jobs/due-jobs.ts';
import type { Scope } from '../../platform/scope.ts';
import { invitationWaits, type OpenSeat } from './accept.ts';
import { invitationsMadeBy } from './compromised-account.ts';
import { checkAccess, endDueGuests, type GuestShare, type GuestShares, remindOfEnds } from './guests.ts';
import { dropOldInvitations } from './jobs.ts';
import { purgeClosedTeams } from './purge-jobs.ts';
import { teamInUse } from './queries.ts';
import { notifyExceededQuotas } from './quota-notices.ts';
import { teamRoutes } from './routes.ts';
import type { GrantedResource } from './schemas.ts';

/** Functions for domains with resources for guests and auditors. */
export type OpenTeams = {
  shareWithGuests(type: GrantedResource['type'], share: GuestShare): void;
  /** Throws 422 `access_not_shareable` unless the actor may share each resource. */
  checkShareable(scope: Scope, access: readonly Pick<GrantedResource, 'type' | 'id'>[]): Promise<void>;
  openSeats(open: OpenSeat): void;
};

export function open(
  { database, storage, tables, listeners, log, clock, onQuotaExceeded }: Platform,
  { accounts }: { accounts: OpenAccounts },
): OpenedDomain<OpenTeams> {
  accounts.askInvitations(invitationWaits);
  accounts.onLoss(invitationsMadeBy);
  const exceeded = notifyExceededQuotas({ database, listeners, log, clock });
  onQuotaExceeded((team, quota) => exceeded.notify(team, quota));
  const guestShares: GuestShares = new Map();
  let seat: OpenSeat = async () => undefined;
  const openSeat: OpenSeat = (scope, auditor) => seat(scope, auditor);
  const teams = { ...accounts, inUse: teamInUse(tables), guestShares, openSeat };
  return {
    exports: {
      shareWithGuests: (type, share) => void guestShares.set(type, share),
      checkShareable: (scope, access) => checkAccess(guestShares, scope, access),
      openSeats: (given) => void (seat = given),
    },
    routes: (app) => teamRoutes(app, teams),
    periodic: [
      {
        name: 'team-purge',
        cron: '27 3 * * *',
        run: ({ now, isolation }) => purgeClosedTeams({ database, storage, isolation, tables }, now),
      },
      {
        name: 'guest-end',
        cron: '* * * * *',
        async run({ now, isolation }) {
          for (const work of [endDueGuests(accounts), remindOfEnds]) await doDueWork({ database, listeners, isolation }, work, now);
        },
      },
      { name: 'invitation-drop', cron: '57 3 * * *', run: ({ now }) => dropOldInvitations(database, now) },
    ],
  };
}
