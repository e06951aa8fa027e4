import { namedById, ofTheTeam, type Tables } from '../../../platform/tables.ts';

const evidence = { stays: 'evidence of the signatures; deleted with the last document of the request' } as const;

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
  },
  signature_request_document: { ...ofTheTeam, legalHold: true, file: { key: 'presented_storage_key', of: ['request_id', 'place'] } },
  signature_seal: { ...ofTheTeam, legalHold: true, file: { key: 'storage_key', of: ['request_id', 'place'] } },
  signature_signer: {
    exportedBytes: ['mark_png'],
    purge: 'erased',
    legalHold: true,
    people: { by: ['email', 'email_key', 'account_id'], leaving: { stays: 'record of the signers' }, exported: true, erasure: evidence },
  },
  signature_field: { ...ofTheTeam, legalHold: true },
  signature_place: { ...ofTheTeam, legalHold: true },
  signature_evidence: { ...ofTheTeam, legalHold: true },
  signature_session: ofTheTeam,
};
