import { namedById, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const workflowTables: Tables = {
  workflow: {
    purge: 'erased',
    held: true,
    content: 'true',
    people: {
      by: ['assigned_to', 'created_by', 'linked_by', 'owner_id'],
      leaving: { stays: 'handed to the successor while under way' },
      exported: true,
      erasure: namedById,
    },
  },
  workflow_step: {
    purge: 'erased',
    held: true,
    people: { by: ['assignees'], leaving: { stays: 'handed to the successor while under way' }, exported: false, erasure: namedById },
  },
  workflow_comment: {
    purge: 'erased',
    held: true,
    people: { by: ['user_id'], leaving: { stays: 'is the team’s' }, exported: true, erasure: namedById },
  },
  workflow_template: {
    purge: 'erased',
    held: false,
    content: 'true',
    people: { by: ['created_by', 'owner_id', 'steps_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById },
  },
  workflow_template_version: {
    purge: 'erased',
    held: false,
    people: { by: ['created_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById },
  },
  date_template: {
    purge: 'erased',
    held: true,
    people: { by: ['set_by'], leaving: { stays: 'says by whose right it would start' }, exported: false, erasure: namedById },
  },
};
