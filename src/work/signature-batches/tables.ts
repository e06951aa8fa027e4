import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
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
      leaving: { stays: 'record of the signers' },
      exported: true,
      erasure: { stays: 'record of the signers; the signature request has the same address as evidence' },
    },
  },
};
