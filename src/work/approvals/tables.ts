import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const approvalTables: Tables = {
  approval_round: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['requester_id'], leaving: { stays: 'records a decision' }, exported: false, erasure: namedById },
  },
  approval_round_document: { purge: 'erased', legalHold: true },
  approval_candidate: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['account_id'], leaving: { stays: 'records a decision' }, exported: true, erasure: namedById },
  },
};
