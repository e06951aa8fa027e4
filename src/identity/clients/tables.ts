import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const clientTables: Tables = {
  api_client: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: {
      by: ['created_by', 'responsible_id'],
      leaving: { stays: 'waits for somebody to take it over, if the team wants it so' },
      exported: false,
      erasure: namedById,
    },
  },
  api_client_secret: ofTheTeam,
  api_client_revoked_token: ofTheTeam,
  former_client: {
    purge: 'erased',
    legalHold: true,
    people: {
      by: ['responsible_id'],
      leaving: { stays: 'says who answered for what it did' },
      exported: false,
      erasure: namedById,
    },
  },
};
