import { namedById, type Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const bookingTables: Tables = {
  calendar: {
    purge: 'erased',
    legalHold: true,
    people: {
      by: ['feed_by'],
      leaving: { stays: 'names who made an address that leads nowhere any more' },
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
      leaving: { stays: 'is a visitor’s, who is no member' },
      exported: true,
      erasure: 'emptied',
    },
  },
};
