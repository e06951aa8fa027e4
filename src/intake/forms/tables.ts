import { namedById, ofTheTeam, type People, type Tables } from '../../platform/tables.ts';

const named = (by: readonly string[], what: string): People => ({ by, leaving: { stays: what }, exported: false, erasure: namedById });
const withLegalHold = { purge: 'erased', held: true } as const;

/** What this domain keeps. What visitors answered names nobody by a column: it is found by the submission, and erased with it. */
export const interfaceTables: Tables = {
  interface: {
    ...withLegalHold,
    content: 'deleted_at IS NULL',
    people: { ...named(['owner_id', 'created_by'], 'handed to the successor'), exported: true },
  },
  interface_version: { ...withLegalHold, people: named(['published_by', 'uses_by'], 'is the team’s') },
  interface_link: { purge: 'erased', held: false, people: named(['person_id'], 'leads nowhere once they have left') },
  submission_session: ofTheTeam,
  submission_proof: ofTheTeam,
  submission: { ...withLegalHold, content: 'erased_at IS NULL', people: named(['erased_by'], 'is the team’s') },
  submission_effect: withLegalHold,
  submission_upload: { ...withLegalHold, file: { key: 'storage_key', of: ['interface_id', 'id'] } },
  submission_draft: ofTheTeam,
  team_brand: ofTheTeam,
  interface_report: ofTheTeam,
  interface_count: withLegalHold,
  interface_day: withLegalHold,
  submission_export: { ...ofTheTeam, people: named(['created_by'], 'is gone a day later') },
  submission_export_file: { ...ofTheTeam, file: { key: 'storage_key', of: ['id'] } },
};
