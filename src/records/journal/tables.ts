import { namedById, ofTheService, type Tables } from '../../platform/tables.ts';

/** The platform alone writes entries, in the transaction of their actions. */
export const auditTables: Tables = {
  audit_entry: {
    purge: 'kept',
    legalHold: true,
    people: { by: ['actor_id'], leaving: { stays: 'belongs to the team' }, exported: true, erasure: namedById },
  },
  audit_log: ofTheService,
  audit_checkpoint: ofTheService,
  audit_tile: ofTheService,
};
