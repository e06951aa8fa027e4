import { ofTheService, type Tables } from '../../platform/tables.ts';

export const connectedAppTables: Tables = {
  program: ofTheService,
  program_connection: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id'], leaving: { stays: 'ends with the membership' }, exported: true, erasure: 'deleted' },
  },
};
