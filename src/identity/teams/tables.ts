import type { Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const teamTables: Tables = {
  invitation: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['email', 'email_key', 'invited_by', 'accepted_by'],
      leaving: { stays: 'those that nobody has accepted end, the others stand for the team' },
      exported: true,
      erasure: 'deleted',
    },
  },
};
