import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const runTables: Tables = {
  agent_job: {
    purge: 'erased',
    legalHold: false,
    content: 'enabled',
    people: {
      by: ['on_behalf_of', 'created_by', 'delivery_to'],
      leaving: { stays: 'is disabled until an administrator takes it over; a delivery to them alone fails' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_run: {
    purge: 'erased',
    legalHold: false,
    people: {
      by: ['on_behalf_of', 'requested_by', 'owner_id', 'delivery_to'],
      leaving: { stays: 'handed to the successor' },
      exported: false,
      erasure: namedById,
    },
  },
  agent_run_step: { purge: 'erased', legalHold: false },
  agent_run_call: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['decided_by'], leaving: { stays: 'says who decided' }, exported: false, erasure: namedById },
  },
  agent_run_subject: { purge: 'erased', legalHold: false },
  agent_run_event: { purge: 'erased', legalHold: false },
  agent_consent: {
    purge: 'erased',
    legalHold: false,
    people: { by: ['given_by'], leaving: { stays: 'says who gave it' }, exported: false, erasure: namedById },
  },
  agent_usage: { purge: 'erased', legalHold: false },
};
