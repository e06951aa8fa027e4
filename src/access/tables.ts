import { namedById, type Tables, namedBy } from '../platform/tables.ts';

/** The tables of this domain. */
export const accessTables: Tables = {
  access_group: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['created_by'], leaving: { stays: 'belongs to the team' }, exported: false, erasure: namedById },
  },
  access_group_member: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['user_id', 'added_by'], leaving: { stays: 'ended' }, exported: true, erasure: namedById },
  },
  access_grant: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['user_id', 'granted_by'], leaving: { stays: 'ended' }, exported: false, erasure: namedById },
  },
  audit_seat: { purge: 'erased', legalHold: false, people: namedBy(['account_id', 'created_by'], 'ended') },
  access_container: { purge: 'erased', legalHold: true, people: namedBy(['owner_id'], 'transferred to the successor') },
  access_path: { purge: 'erased', legalHold: true },
  access_deleted: { purge: 'erased', legalHold: true },
  access_barrier: { purge: 'erased', legalHold: true, people: namedBy(['set_by'], 'stays active') },
  access_barrier_change: { purge: 'erased', legalHold: true },
  access_barrier_member: { purge: 'erased', legalHold: true, people: namedBy(['user_id'], 'ended') },
  access_emergency: { purge: 'erased', legalHold: true, people: namedBy(['user_id', 'approved_by'], 'ended or completed') },
};
