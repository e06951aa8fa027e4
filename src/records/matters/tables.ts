import { namedBy, ofTheTeam, type Tables } from '../../platform/tables.ts';

export const matterTables: Tables = {
  matter_client: { purge: 'erased', legalHold: true, people: namedBy(['created_by'], 'belongs to the team') },
  // The responsible person is the owner of the root folder.
  matter: { purge: 'erased', legalHold: true },
  matter_counter: ofTheTeam,
  matter_deadline: { purge: 'erased', legalHold: true, people: namedBy(['assignee_id', 'created_by'], 'goes to the responsible person') },
};
