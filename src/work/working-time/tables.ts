import type { Tables } from '../../platform/tables.ts';

/** The tables of this domain. */
export const workingTimeTables: Tables = { working_time: { purge: 'erased', legalHold: false } };
