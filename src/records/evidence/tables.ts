import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** What this domain keeps: copies of what stands elsewhere, for a day, so that no legal hold keeps them. */
export const evidenceTables: Tables = {
  evidence_pack: {
    ...ofTheTeam,
    people: {
      by: ['created_by', 'owner_id'],
      leaving: { stays: 'handed to the successor, and gone a day later' },
      exported: false,
      erasure: namedById,
    },
  },
  evidence_pack_file: { ...ofTheTeam, file: { key: 'storage_key', of: ['id'] } },
};
