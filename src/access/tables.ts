import { namedById, type Tables } from '../platform/tables.ts';

/** What this domain keeps. */
export const accessTables: Tables = {
  access_group: {
    purge: 'erased',
    held: true,
    people: { by: ['created_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById },
  },
  access_group_member: {
    purge: 'erased',
    held: true,
    people: { by: ['user_id', 'added_by'], leaving: { stays: 'ended' }, exported: true, erasure: namedById },
  },
  access_grant: {
    purge: 'erased',
    held: true,
    people: { by: ['user_id', 'granted_by'], leaving: { stays: 'ended' }, exported: false, erasure: namedById },
  },
};
