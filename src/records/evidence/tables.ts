import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. Packs are copies of other data that exist for one day, so legal holds do not apply to them. */
export const evidenceTables: Tables = {
  evidence_pack: {
    ...ofTheTeam,
    people: {
      by: ['created_by', 'owner_id'],
      leaving: { stays: 'handed to the successor, and deleted a day later' },
      exported: false,
      erasure: namedById,
    },
  },
  evidence_pack_file: { ...ofTheTeam, file: { key: 'storage_key', of: ['id'] } },
};
