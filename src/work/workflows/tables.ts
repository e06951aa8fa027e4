import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const workflowTables: Tables = {
  workflow: {
    purge: 'erased',
    legalHold: true,
    content: 'true',
    people: {
      by: ['assigned_to', 'created_by', 'linked_by', 'owner_id'],
      leaving: { stays: 'goes to the successor while in progress' },
      exported: true,
      erasure: namedById,
    },
  },
  workflow_document: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['linked_by'], leaving: { stays: 'goes to the successor while in progress' }, exported: false, erasure: namedById },
  },
  workflow_step: {
    secretText: ['nonce'],
    purge: 'erased',
    legalHold: true,
    people: { by: ['assignees'], leaving: { stays: 'goes to the successor while in progress' }, exported: false, erasure: namedById },
  },
  workflow_comment: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['user_id'], leaving: { stays: 'is the team’s' }, exported: true, erasure: namedById },
  },
  workflow_template: {
    purge: 'erased',
    legalHold: false,
    content: 'true',
    people: { by: ['created_by', 'owner_id', 'steps_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById },
  },
  workflow_template_version: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['created_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById },
  },
  date_template: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['set_by'], leaving: { stays: 'names the user whose rights it uses' }, exported: false, erasure: namedById },
  },
};
