import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

export const clientTables: Tables = {
  api_client: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: {
      by: ['created_by', 'responsible_id'],
      leaving: { stays: 'is suspended until a takeover, if the team requires it' },
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
      leaving: { stays: 'keeps the responsible user of a deleted client' },
      exported: false,
      erasure: namedById,
    },
  },
};
