import { domain as accounts } from '#accounts';
import { defineDomain } from '../platform/domain.ts';
import { teamTables } from './tables.ts';

/**
 * Teams: name and time zone, the people in it with their roles, and invitations by mail. A person is in one team at a
 * time: who leaves or is removed goes on alone in a new one, and what was theirs here goes to a successor.
 */
export const domain = defineDomain({ name: 'teams', uses: [accounts], tables: teamTables, description: () => import('./description.ts') });

export { invitationsMadeBy } from './custody.ts';
export { invitationWaits } from './accept.ts';
export { memberRemoved } from '#accounts';
export { dropOldInvitations } from './jobs.ts';
export { purgeClosedTeams } from './purge-jobs.ts';
export { changeQuotas, type QuotaChanges } from './quotas.ts';
export { tellExceededQuotas } from './quota-notices.ts';
export { teamRoutes } from './routes.ts';
