import type { Tables } from '../../platform/tables.ts';

/** What this domain keeps. */
export const workingTimeTables: Tables = { working_time: { purge: 'erased', legalHold: false } };
