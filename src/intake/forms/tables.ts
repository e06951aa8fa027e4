import { ofTheTeam, type Tables, namedBy } from '../../platform/tables.ts';

const legalHold = { purge: 'erased', legalHold: true } as const;

/** The tables of this domain. No column names the visitor of a submission. Erasing the submission erases the answers. */
export const interfaceTables: Tables = {
  interface: {
    ...legalHold,
    content: 'deleted_at IS NULL',
    people: { ...namedBy(['owner_id', 'created_by'], 'handed to the successor'), exported: true },
  },
  interface_version: { ...legalHold, people: namedBy(['published_by', 'uses_by'], 'belongs to the team') },
  interface_link: { purge: 'erased', legalHold: false, people: namedBy(['person_id'], 'stops working after the offboarding') },
  submission_session: ofTheTeam,
  submission_proof: ofTheTeam,
  submission: { ...legalHold, content: 'erased_at IS NULL', people: namedBy(['erased_by'], 'belongs to the team') },
  submission_effect: legalHold,
  submission_output: legalHold,
  submission_upload: { ...legalHold, file: { key: 'storage_key', of: ['interface_id', 'id'] } },
  submission_draft: ofTheTeam,
  team_brand: { ...ofTheTeam, exportedBytes: ['logo'] },
  interface_report: ofTheTeam,
  interface_count: legalHold,
  interface_day: legalHold,
  submission_export: { ...ofTheTeam, people: namedBy(['created_by'], 'is deleted a day later') },
  submission_export_file: { ...ofTheTeam, file: { key: 'storage_key', of: ['id'] } },
};
