import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const agentTables: Tables = {
  agent: {
    purge: 'erased',
    legalHold: false,
    // Every team starts with a default agent; it counts as content once a user has changed it.
    content: 'NOT is_default OR version > 1',
    people: {
      by: ['created_by', 'changed_by', 'stopped_by'],
      leaving: { stays: 'names its creator, and the actors of changes and stops' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'names the actor of the change' }, exported: false, erasure: namedById },
  },
  agent_file: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['changed_by'], leaving: { stays: 'names its writer' }, exported: false, erasure: namedById },
  },
  agent_file_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'names its writer' }, exported: false, erasure: namedById },
  },
  agent_preset: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['applied_by'], leaving: { stays: 'names the member who applied it' }, exported: false, erasure: namedById },
  },
  agent_team_stop: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['stopped_by'], leaving: { stays: 'names the actor of the stop' }, exported: false, erasure: namedById },
  },
  agent_skill: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['created_by'], leaving: { stays: 'names the installer' }, exported: false, erasure: namedById },
  },
  agent_skill_file: { ...ofTheTeam, exportedBytes: ['content'] },
  agent_skill_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'names the actor of the change' }, exported: false, erasure: namedById },
  },
  agent_mcp_server: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: {
      by: ['created_by', 'signed_in_by'],
      leaving: { stays: 'names its creator; a sign-in by the departed member ends' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_mcp_sign_in: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['begun_by'], leaving: { stays: 'is valid for a session that has ended' }, exported: false, erasure: namedById },
  },
  agent_mcp_tool: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['set_by'], leaving: { stays: 'names the member who enabled it' }, exported: false, erasure: namedById },
  },
};
