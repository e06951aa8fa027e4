import { namedById, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const batchTables: Tables = {
  signature_batch: {
    purge: 'erased',
    legalHold: true,
    content: "status = 'running'",
    people: { by: ['created_by', 'owner_id'], leaving: { stays: 'handed to the successor' }, exported: false, erasure: namedById },
  },
  signature_batch_row: {
    purge: 'erased',
    legalHold: true,
    people: {
      by: ['email'],
      leaving: { stays: 'says who was asked' },
      exported: true,
      erasure: { stays: 'says who was asked; the request, which proves it, has the same' },
    },
  },
};
