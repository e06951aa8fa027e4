import { namedById, type Tables } from '../../platform/tables.ts';

export const folderTables: Tables = {
  folder: {
    purge: 'erased',
    legalHold: true,
    content: 'deleted_at IS NULL',
    people: { by: ['user_id', 'created_by'], leaving: { stays: 'handed to the successor' }, exported: true, erasure: namedById },
  },
};
