import { defineProblems } from '../../platform/problems.ts';

export const staffProblems = defineProblems({
  totp_setup_required: {
    status: 403,
    title: 'Set up the second factor first',
    help: 'Staff of this service sign in with a second factor. Until you set it up, you can only read your profile, sign out and set it up. Start with `totp/setup-init`.',
  },
  totp_mandatory: {
    status: 403,
    title: 'The second factor cannot be turned off',
    help: 'Staff of this service sign in with a second factor. To use another app, ask an operator to reset it with `staff reset-totp` on the command line.',
  },
  staff_inactive: {
    status: 403,
    title: 'The account is not active',
    help: 'An operator has deactivated this staff account. `staff enable` on the command line activates it again.',
  },
  team_not_active: {
    status: 409,
    title: 'The team is not active',
    help: 'Only an active team can be suspended.',
  },
  team_not_suspended: {
    status: 409,
    title: 'The team is not suspended',
    help: 'Only a suspended team can be restored. A closed one stays closed.',
  },
});
