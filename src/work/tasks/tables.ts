import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const taskTables: Tables = {
  task: {
    purge: 'erased',
    legalHold: true,
    content: "status = 'open'",
    people: {
      by: ['assigned_to', 'created_by', 'completed_by', 'delegated_from', 'on_behalf_of', 'linked_by', 'owner_id', 'participant_id'],
      leaving: { stays: 'goes to the successor; open tasks are reassigned' },
      exported: true,
      erasure: namedById,
    },
  },
  task_comment: {
    purge: 'erased',
    legalHold: true,
    people: { by: ['user_id'], leaving: { stays: 'is the team’s' }, exported: true, erasure: namedById },
  },
  task_delegation: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['user_id', 'to_user_id', 'given_by'],
      leaving: { stays: 'ends with the person' },
      exported: true,
      erasure: 'deleted',
    },
  },
  task_digest: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['account_id'], leaving: { stays: 'is about tasks that are reassigned' }, exported: false, erasure: 'deleted' },
  },
};
