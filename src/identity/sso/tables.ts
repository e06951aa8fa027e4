import { namedById, ofTheService, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const ssoTables: Tables = {
  sso_connection: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['created_by'], leaving: { stays: 'goes on, and the owner is told' }, exported: false, erasure: namedById },
  },
  sso_domain: ofTheTeam,
  sso_state_spent: ofTheService,
};
