import { domain as accounts } from '#accounts';
import { domain as journal } from '#journal';
import { domain as credentials } from '#credentials';
import { domain as keys } from '#keys';
import { domain as teams } from '#teams';
import { defineDomain } from '../../platform/domain.ts';
import { resolveStaffSettings, staffSettings } from './config.ts';
import { sealedStaffFactors } from './context.ts';
import { open } from './open.ts';
import { staffTables } from './tables.ts';

/**
 * Staff: the operators of the service. They have separate accounts, sign-ins and tokens, and operations on teams and
 * users. Each action is recorded in a journal.
 */
export const domain = defineDomain({
  name: 'staff',
  uses: { accounts, journal, credentials, keys, teams },
  settings: staffSettings,
  settle: resolveStaffSettings,
  tables: staffTables,
  description: () => import('./description.ts'),
  sealed: sealedStaffFactors,
  open,
});

export { staffSettingsOf } from './open.ts';
export { openStaff } from './context.ts';
export { administerStaff, type StaffAdministration } from './members.ts';
export type { OverTeams } from './team-operations.ts';
