import { namedById, ofTheService, ofTheTeam, type Tables } from '../../platform/tables.ts';

/** The tables of webhooks. The partitions of deliveries and attempts follow their parent tables. */
export const webhookTables: Tables = {
  webhook_setting: ofTheService,
  webhook_endpoint: {
    purge: 'erased',
    legalHold: false,
    content: 'deleted_at IS NULL',
    people: { by: ['created_by'], leaving: { stays: 'stays active, and the owner is notified' }, exported: false, erasure: namedById },
  },
  webhook_endpoint_state: ofTheTeam,
  webhook_rate_limit: ofTheTeam,
  webhook_queue: ofTheTeam,
  webhook_delivery: ofTheTeam,
  webhook_attempt: { ...ofTheTeam, exportedBytes: ['response_body'] },
};
