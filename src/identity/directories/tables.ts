import { namedBy, ofTheTeam, type Tables } from '../../platform/tables.ts';

export const directoryTables: Tables = {
  directory: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: namedBy(['created_by', 'successor_id', 'owner_successor_id'], 'stays active; a successor who left is ignored'),
  },
  directory_token: { purge: 'erased', legalHold: false, people: namedBy(['created_by'], 'stays valid until its end') },
  directory_log: ofTheTeam,
  scim_user: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['account_id', 'user_name_key', 'email', 'email_key'],
      leaving: { stays: 'as withdrawn, so that the directory does not bring the person back' },
      exported: true,
      erasure: 'deleted',
    },
  },
  directory_group: ofTheTeam,
  directory_group_member: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['user_id'], leaving: { stays: 'as the directory says' }, exported: true, erasure: 'deleted' },
  },
};
