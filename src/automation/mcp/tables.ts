import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const mcpTables: Tables = {
  mcp_approval: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['decided_by', 'account_id'],
      leaving: { stays: 'says who was asked and who decided' },
      exported: false,
      erasure: namedById,
    },
  },
};
