import { namedById, ofTheTeam, type Tables } from '../../../platform/tables.ts';

const evidence = { stays: 'evidence of the signatures; deleted with the document' } as const;

/** The tables of signature requests. */
export const requestTables: Tables = {
  signature_request: {
    purge: 'erased',
    legalHold: true,
    content: "status IN ('preparing', 'pending', 'sealing')",
    people: {
      by: ['created_by', 'owner_id', 'requested_by'],
      leaving: { stays: 'handed to the successor' },
      exported: true,
      erasure: namedById,
    },
    file: { key: 'presented_storage_key', of: ['id'] },
  },
  signature_signer: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['email', 'email_key', 'account_id'], leaving: { stays: 'record of the signers' }, exported: true, erasure: evidence },
  },
  signature_field: { ...ofTheTeam, legalHold: true },
  signature_place: { ...ofTheTeam, legalHold: true },
  signature_evidence: { ...ofTheTeam, legalHold: true },
  signature_session: ofTheTeam,
};
