import { namedById, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const agentTables: Tables = {
  agent: {
    purge: 'erased',
    legalHold: false,
    // What every team has from its start is content once somebody has changed it.
    content: 'NOT is_default OR version > 1',
    people: {
      by: ['created_by', 'changed_by', 'stopped_by'],
      leaving: { stays: 'says who made, changed and stopped it' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'says who changed it' }, exported: false, erasure: namedById },
  },
  agent_file: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['changed_by'], leaving: { stays: 'says who wrote it' }, exported: false, erasure: namedById },
  },
  agent_file_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'says who wrote it' }, exported: false, erasure: namedById },
  },
  agent_preset: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['applied_by'], leaving: { stays: 'says who applied it' }, exported: false, erasure: namedById },
  },
  agent_team_stop: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['stopped_by'], leaving: { stays: 'says who stopped them' }, exported: false, erasure: namedById },
  },
  agent_skill: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['created_by'], leaving: { stays: 'says who installed it' }, exported: false, erasure: namedById },
  },
  agent_skill_file: ofTheTeam,
  agent_skill_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['changed_by'], leaving: { stays: 'says who changed it' }, exported: false, erasure: namedById },
  },
  agent_mcp_server: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: {
      by: ['created_by', 'signed_in_by'],
      leaving: { stays: 'says who added it; a sign-in of theirs is ended' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_mcp_sign_in: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['begun_by'], leaving: { stays: 'is good for a session that has ended' }, exported: false, erasure: namedById },
  },
  agent_mcp_tool: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['set_by'], leaving: { stays: 'says who switched it on' }, exported: false, erasure: namedById },
  },
};
