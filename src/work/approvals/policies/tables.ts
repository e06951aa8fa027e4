import { namedById, type Tables } from '../../../platform/tables.ts';

const people = { by: ['created_by'], leaving: { stays: 'is the team’s' }, exported: false, erasure: namedById } as const;

/** The tables of policies. */
export const policyTables: Tables = {
  approval_policy: { purge: 'erased', legalHold: false, people: { ...people, by: [...people.by] } },
  approval_policy_version: { purge: 'erased', legalHold: false, people: { ...people, by: [...people.by] } },
};
