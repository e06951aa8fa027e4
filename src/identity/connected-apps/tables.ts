import { ofTheService, type Tables } from '../../platform/tables.ts';

export const connectedAppTables: Tables = {
  connected_app: ofTheService,
  connected_app_connection: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id'], leaving: { stays: 'ends with the membership' }, exported: true, erasure: 'deleted' },
  },
};
