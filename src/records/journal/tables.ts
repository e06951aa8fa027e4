import { namedById, ofTheService, type Tables } from '../../platform/tables.ts';

/** What this domain keeps; the platform alone writes entries, in the transaction of their acts. */
export const auditTables: Tables = {
  audit_entry: {
    purge: 'kept',
    legalHold: true,
    people: { by: ['actor_id'], leaving: { stays: 'is the team’s' }, exported: true, erasure: namedById },
  },
  audit_log: ofTheService,
  audit_checkpoint: ofTheService,
  audit_tile: ofTheService,
};
