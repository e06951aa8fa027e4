import { namedById, type Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const bookingTables: Tables = {
  calendar: {
    purge: 'erased',
    legalHold: true,
    people: {
      by: ['feed_by'],
      leaving: { stays: 'names the creator of a feed address that stops working' },
      exported: false,
      erasure: namedById,
    },
  },
  calendar_busy: { purge: 'erased', legalHold: false },
  booking: {
    purge: 'erased',
    legalHold: true,
    content: "status IN ('held', 'pending', 'confirmed')",
    people: {
      by: ['email', 'email_key'],
      leaving: { stays: 'belongs to a visitor, who is not a member' },
      exported: true,
      erasure: 'emptied',
    },
  },
};
