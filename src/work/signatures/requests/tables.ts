import { namedById, ofTheTeam, type Tables } from '../../../platform/tables.ts';

const evidence = { stays: 'proves who signed what; it goes with the document' } as const;

/** What requests for signatures keep. */
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
    people: { by: ['email', 'email_key', 'account_id'], leaving: { stays: 'says who was asked' }, exported: true, erasure: evidence },
  },
  signature_field: { ...ofTheTeam, legalHold: true },
  signature_place: { ...ofTheTeam, legalHold: true },
  signature_evidence: { ...ofTheTeam, legalHold: true },
  signature_session: ofTheTeam,
};
