import { domain as accounts } from '#accounts';
import { domain as audit } from '#audit';
import { domain as credentials } from '#credentials';
import { domain as keys } from '#keys';
import { domain as teams } from '#teams';
import { defineDomain } from '../platform/domain.ts';
import { settleStaff, staffSettings } from './config.ts';
import { sealedStaffFactors } from './deps.ts';
import { open } from './opening.ts';
import { staffTables } from './tables.ts';

/**
 * Staff: the people who run the service. Accounts, sign-in and tokens of their own, apart from those of teams, and what
 * they may do for teams and people. Every act of theirs stands in a journal.
 */
export const domain = defineDomain({
  name: 'staff',
  uses: { accounts, audit, credentials, keys, teams },
  settings: staffSettings,
  settle: settleStaff,
  tables: staffTables,
  description: () => import('./description.ts'),
  sealed: sealedStaffFactors,
  open,
});

export { staffSettingsOf } from './opening.ts';
export { openStaff } from './deps.ts';
export { administerStaff, type StaffAdministration } from './members.ts';
