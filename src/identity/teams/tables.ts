import type { Tables } from '../../platform/tables.ts';

export const teamTables: Tables = {
  invitation: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['email', 'email_key', 'invited_by', 'accepted_by', 'sponsor_id'],
      leaving: { stays: 'pending invitations end, the others stay in the team' },
      exported: true,
      erasure: 'deleted',
    },
  },
};
