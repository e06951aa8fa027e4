import { namedById, ofTheTeam, type Tables } from '../../../platform/tables.ts';

const evidence = { stays: 'proves who signed what; it goes with the document' } as const;

/** What requests for signatures keep. */
export const requestTables: Tables = {
  signature_request: {
    purge: 'erased',
    held: true,
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
    held: true,
    people: { by: ['email', 'email_key', 'account_id'], leaving: { stays: 'says who was asked' }, exported: true, erasure: evidence },
  },
  signature_field: { ...ofTheTeam, held: true },
  signature_place: { ...ofTheTeam, held: true },
  signature_evidence: { ...ofTheTeam, held: true },
  signature_session: ofTheTeam,
};
